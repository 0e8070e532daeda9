import type { ChartReady } from '../../../../workers/api'
import type { Swap } from '../../../domain/backtest'
import { BUCKET_MS } from '../../../domain/granularity'
import { PERIOD_RULES, type Period, type PeriodRules } from '../../../domain/chart-periods'
import type { Toggles, Reference } from '../lines'
import { type PlotColumn, plotColumn, holes, lonelyPoints } from '../../../domain/plot-columns'

/** The chart to draw, and how. */
export interface PlotView {
  readonly period: Period
  readonly chart: ChartReady
  readonly toggles: Toggles
  readonly references: readonly Reference[]
  /** The references that the value axis keeps in sight, where a drag must not move it; absent: `references`. */
  readonly rangeReferences?: readonly Reference[] | undefined
  /** Swaps of a backtest of this chart; absent: none are marked. */
  readonly swaps?: readonly Swap[] | undefined
}

/** A view with everything that is worked out once for its drawing. */
export interface PlotModel {
  readonly view: PlotView
  readonly rules: PeriodRules
  readonly data: PlotData
  /** Times on either side of what is missing, milliseconds. */
  readonly holes: readonly (readonly [number, number])[]
  /** Indices of ratios that no line reaches. */
  readonly lonely: number[]
}

export function plotModel(view: PlotView): PlotModel {
  const rules = PERIOD_RULES[view.period]
  const data = plotData(view.chart)
  const found = holes(view.chart.times, BUCKET_MS[rules.granularity])
  return { view, rules, data, holes: found, lonely: lonelyPoints(view.chart.times, data[4], found) }
}

/** The same model where the data has not changed. */
export const withView = (model: PlotModel, view: PlotView): PlotModel =>
  view.chart === model.view.chart && view.period === model.view.period ? { ...model, view } : plotModel(view)

type PlotData = [times: Float64Array, upper: PlotColumn, lower: PlotColumn, ema: PlotColumn, ratio: PlotColumn]

/** In the order they are drawn: the ratio on top. */
const plotData = (chart: ChartReady): PlotData => [
  chart.times,
  plotColumn(chart.upper),
  plotColumn(chart.lower),
  plotColumn(chart.ema),
  plotColumn(chart.ratio),
]
