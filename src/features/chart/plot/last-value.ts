import type uPlot from 'uplot'
import { formatRatio } from '../../../domain/format-ratio'
import { lastIndex } from './columns'
import type { Palette } from './palette'

/** CSS pixels. */
const DOT = 3.5
const HALO = 7
const TAG_HEIGHT = 20
const TAG_GAP = 4
export const TAG_PADDING = 6

export interface LastValue {
  readonly time: number
  readonly value: number
}

/** The newest point of the ratio, the last column. */
export function lastValue(data: uPlot.AlignedData): LastValue | null {
  const column = data[data.length - 1] ?? []
  const index = lastIndex(column)
  const time = data[0]?.[index]
  const value = column[index]
  return time === undefined || value == null ? null : { time, value }
}

export const lastValueLabel = (data: uPlot.AlignedData): string => {
  const last = lastValue(data)
  return last === null ? '' : formatRatio(last.value)
}

/** Where the ratio stands now: a dot on its end, a line across, and its figure on the axis. */
export function lastValueMark(palette: () => Palette): uPlot.Plugin {
  const draw = (u: uPlot) => {
    const last = lastValue(u.data)
    const { min, max } = u.scales['y'] ?? {}
    if (last === null || min == null || max == null || last.value < min || last.value > max) return
    const { ctx, bbox } = u
    const ratio = devicePixelRatio
    const y = Math.round(u.valToPos(last.value, 'y', true))
    const x = u.valToPos(last.time, 'x', true)
    const color = palette().color('--chart-ratio')
    ctx.save()
    ctx.strokeStyle = color
    ctx.lineWidth = ratio
    ctx.globalAlpha = 0.45
    ctx.setLineDash([ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    if (x <= bbox.left + bbox.width + 1) {
      ctx.fillStyle = color
      ctx.globalAlpha = 0.2
      circle(ctx, x, y, HALO * ratio)
      ctx.globalAlpha = 1
      circle(ctx, x, y, DOT * ratio)
    }
    ctx.globalAlpha = 1
    tag(u, formatRatio(last.value), y, ratio, palette())
    ctx.restore()
  }
  return { hooks: { draw } }
}

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.fill()
}

function tag(u: uPlot, text: string, y: number, ratio: number, palette: Palette): void {
  const { ctx, bbox } = u
  const left = bbox.left + bbox.width + TAG_GAP * ratio
  ctx.font = palette.fontAt(ratio)
  const width = ctx.measureText(text).width + 2 * TAG_PADDING * ratio
  const height = TAG_HEIGHT * ratio
  const top = Math.min(bbox.top + bbox.height - height / 2, Math.max(bbox.top - height / 2, y - height / 2))
  ctx.fillStyle = palette.color('--chart-ratio')
  ctx.beginPath()
  ctx.roundRect(left, top, width, height, 4 * ratio)
  ctx.fill()
  ctx.fillStyle = palette.color('--bg-surface')
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillText(text, left + TAG_PADDING * ratio, top + height / 2 + ratio)
}
