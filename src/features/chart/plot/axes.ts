import type uPlot from 'uplot'
import { lastValue, lastValueLabel, TAG_PADDING } from './last-value'
import type { PlotModel } from './model'
import type { Palette } from './palette'
import { tickLabel, tickStep, timeTicks } from './time-ticks'
import { valueLabels } from './value-ticks'
import { visibleWindow } from './zoom'

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
    const texts = [...(values ?? []), lastValueLabel(model().data)]
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
