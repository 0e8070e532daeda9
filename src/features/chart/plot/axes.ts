import type uPlot from 'uplot'
import { formatRatio } from '../../../domain/format-number'
import type { PlotModel } from './model'
import { lastIndex } from '../../../domain/plot-columns'
import type { Palette } from './palette'
import { tickLabel, tickStep, timeTicks } from './time-ticks'
import { visibleWindow } from './zoom'
import { valueLabels } from '../../../domain/value-axis'

/** CSS pixels. */
const DOT = 3.5
const HALO = 7
const TAG_HEIGHT = 20
const TAG_GAP = 4
const TAG_PADDING = 6

interface LastValue {
  readonly time: number
  readonly value: number
}

/** The newest point of the ratio, the last column. */
function lastValue(data: uPlot.AlignedData): LastValue | null {
  const column = data[data.length - 1] ?? []
  const index = lastIndex(column)
  const time = data[0]?.[index]
  const value = column[index]
  return time === undefined || value == null ? null : { time, value }
}

/** Marks the current ratio: a dot on the line's end, a line across, and its figure on the axis. */
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

/** CSS pixels. */
const TIME_SPACE = 56
const TIME_HEIGHT = 28
const VALUE_SPACE = 44
const GAP = 8
/** Closer than this to the newest value's tag, a label would stand behind it. */
const TAG_CLEARANCE = 17

/** Time below, values on the right, where the newest point is. */
export function plotAxes(model: () => PlotModel, palette: () => Palette): uPlot.Axis[] {
  const color = (token: string) => () => palette().color(token)
  const look = {
    stroke: color('--chart-axis'),
    // uPlot scales it to the screen by itself.
    font: palette().fontAt(1),
    gap: GAP,
    ticks: { show: false },
  }
  const stepOf = (u: uPlot, min: number, max: number) =>
    tickStep(max - min, model().rules.tickUnit, Math.floor(u.bbox.width / devicePixelRatio / TIME_SPACE))

  const valueAxisSize = (_u: uPlot, values: string[] | null): number => {
    const last = lastValue(model().data)
    const texts = [...(values ?? []), last === null ? '' : formatRatio(last.value)]
    return Math.ceil(Math.max(...texts.map(palette().widthOf))) + GAP + 2 * TAG_PADDING
  }

  return [
    {
      ...look,
      grid: { show: false },
      space: TIME_SPACE,
      size: TIME_HEIGHT,
      splits: (u, _axis, min, max) => timeTicks(min, max, stepOf(u, min, max)),
      values: (u, splits) => {
        const { min, max } = visibleWindow(u)
        const step = stepOf(u, min, max)
        const [first, ...others] = splits.map((time) => tickLabel(time, step))
        if (first === undefined) return []
        // A label that the left edge would cut is none.
        const room = u.valToPos(splits[0] ?? 0, 'x') + u.bbox.left / devicePixelRatio
        return [room < palette().widthOf(first) / 2 ? '' : first, ...others]
      },
    },
    {
      ...look,
      scale: 'y',
      side: 1,
      grid: { stroke: color('--chart-grid'), width: 1 },
      space: VALUE_SPACE,
      values: (u, splits, _axis, _space, increment) => {
        const last = lastValue(model().data)
        const isHidden = (tick: number) =>
          last !== null && Math.abs(u.valToPos(tick, 'y') - u.valToPos(last.value, 'y')) < TAG_CLEARANCE
        return valueLabels(splits, increment).map((label, i) => (isHidden(splits[i] ?? 0) ? '' : label))
      },
      size: valueAxisSize,
    },
  ]
}
