import type uPlot from 'uplot'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { RATIO_SERIES } from './series'

/** CSS pixels: half the width of a mark, and its distance from the line. */
const HALF = 6
const DISTANCE = 9

/** Triangles at a backtest's swaps: one that points down above the line where A became B, one that points up below it where B became A. */
export function swapMarks(model: () => PlotModel, palette: () => Palette): uPlot.Plugin {
  const draw = (u: uPlot) => {
    const { swaps } = model().view
    if (swaps === undefined || swaps.length === 0) return
    const { ctx, bbox } = u
    const pixels = devicePixelRatio
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    ctx.lineWidth = 1.5 * pixels
    ctx.strokeStyle = palette().color('--bg-surface')
    for (const { at, to } of swaps) {
      const value = u.data[RATIO_SERIES]?.[at]
      const time = u.data[0][at]
      if (value == null || time === undefined) continue
      const x = u.valToPos(time, 'x', true)
      if (x < bbox.left || x > bbox.left + bbox.width) continue
      const up = to === 'a' ? 1 : -1
      const y = u.valToPos(value, 'y', true) + up * DISTANCE * pixels
      ctx.beginPath()
      ctx.moveTo(x, y - up * HALF * pixels)
      ctx.lineTo(x + HALF * pixels, y + up * HALF * 0.7 * pixels)
      ctx.lineTo(x - HALF * pixels, y + up * HALF * 0.7 * pixels)
      ctx.closePath()
      ctx.fillStyle = palette().color(to === 'b' ? '--chart-high' : '--chart-low')
      ctx.fill()
      ctx.stroke()
    }
    ctx.restore()
  }
  return { hooks: { draw } }
}
