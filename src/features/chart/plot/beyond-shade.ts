import type uPlot from 'uplot'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { RATIO_SERIES } from './series'

/** CSS pixels between the lines of the hatch, which tells the stretch apart where colours are few. */
const HATCH = 6
const FILL = 0.14
const LINE = 0.55

/** Shades the stretches of the ratio beyond the high and the low alert, between line and threshold. */
export function beyondShade(model: () => PlotModel, palette: () => Palette): uPlot.Plugin {
  const shade = (u: uPlot, value: number, isHigh: boolean, color: string) => {
    const { ctx, bbox } = u
    const threshold = u.valToPos(value, 'y', true)
    const top = isHigh ? bbox.top : Math.max(bbox.top, threshold)
    const bottom = isHigh ? Math.min(bbox.top + bbox.height, threshold) : bbox.top + bbox.height
    if (bottom <= top || !traceStretch(u, threshold)) return
    ctx.save()
    ctx.clip()
    ctx.beginPath()
    ctx.rect(bbox.left, top, bbox.width, bottom - top)
    ctx.clip()
    ctx.globalAlpha = FILL
    ctx.fillStyle = color
    ctx.fill()
    ctx.globalAlpha = LINE
    ctx.strokeStyle = color
    ctx.lineWidth = devicePixelRatio
    ctx.beginPath()
    const height = bottom - top
    for (let x = bbox.left - height; x < bbox.left + bbox.width; x += HATCH * devicePixelRatio) {
      ctx.moveTo(x, bottom)
      ctx.lineTo(x + height, top)
    }
    ctx.stroke()
    ctx.restore()
  }

  const draw = (u: uPlot) => {
    for (const { kind, value } of model().view.references) {
      if (kind === 'high') shade(u, value, true, palette().color('--chart-high'))
      if (kind === 'low') shade(u, value, false, palette().color('--chart-low'))
    }
  }
  return { hooks: { drawAxes: draw } }
}

/** Traces the ratio line's visible part, closed along the threshold; false where there is nothing to trace. */
function traceStretch(u: uPlot, threshold: number): boolean {
  const { ctx } = u
  const [times] = u.data
  const ratios = u.data[RATIO_SERIES]
  const [from, to] = u.series[0]?.idxs ?? [0, -1]
  if (ratios === undefined || to <= from) return false
  ctx.beginPath()
  ctx.moveTo(u.valToPos(times[from]!, 'x', true), threshold)
  for (let i = from; i <= to; i++) {
    const ratio = ratios[i]
    if (ratio == null) continue
    ctx.lineTo(u.valToPos(times[i]!, 'x', true), u.valToPos(ratio, 'y', true))
  }
  ctx.lineTo(u.valToPos(times[to]!, 'x', true), threshold)
  ctx.closePath()
  return true
}
