import type uPlot from 'uplot'
import { lastValueLabel, TAG_PADDING } from './last-value'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { tickLabel, tickStep, timeTicks } from './time-ticks'
import { valueLabels } from './value-ticks'
import { visibleWindow } from './zoom'

/** CSS pixels. */
const TIME_SPACE = 72
const VALUE_SPACE = 44
const GAP = 8

/** Share of the values' span that is left free above and below. */
const ROOM = 0.06

/** The value axis: what is visible and some room, not below zero where no value is. */
export function valueRange(_u: uPlot, min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1]
  const room = max > min ? (max - min) * ROOM : Math.abs(max) * 0.005 || 1
  return [min >= 0 ? Math.max(0, min - room) : min - room, max + room]
}

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

  const valueAxisSize = (u: uPlot, values: string[] | null): number => {
    u.ctx.save()
    u.ctx.font = palette().fontAt(1)
    const texts = [...(values ?? []), lastValueLabel(u.data)]
    const widest = Math.max(0, ...texts.map((text) => u.ctx.measureText(text).width))
    u.ctx.restore()
    return Math.ceil(widest) + GAP + 2 * TAG_PADDING
  }

  return [
    {
      ...look,
      grid: { show: false },
      space: TIME_SPACE,
      splits: (u, _axis, min, max) => timeTicks(min, max, stepOf(u, min, max)),
      values: (u, splits) => {
        const { min, max } = visibleWindow(u)
        const step = stepOf(u, min, max)
        return splits.map((time) => tickLabel(time, step))
      },
    },
    {
      ...look,
      scale: 'y',
      side: 1,
      grid: { stroke: color('--chart-grid'), width: 1 },
      space: VALUE_SPACE,
      values: (_u, splits, _axis, _space, increment) => valueLabels(splits, increment),
      size: valueAxisSize,
    },
  ]
}
