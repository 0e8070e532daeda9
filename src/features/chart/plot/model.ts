import { BUCKET_MS } from '../../../domain/granularity'
import { PERIOD_RULES, type Period, type PeriodRules } from '../../../domain/period'
import type { ChartReady } from '../../../../workers/api'
import type { Toggles } from '../lines'
import type { Reference } from '../references'
import { plotData, type PlotData } from './columns'
import { holes, lonelyPoints } from './gaps'

/** What is to be drawn. */
export interface PlotView {
  readonly period: Period
  readonly chart: ChartReady
  readonly toggles: Toggles
  readonly references: readonly Reference[]
}

/** A view with what the drawing needs of it, worked out once. */
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
