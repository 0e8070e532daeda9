import type { ChartReady } from '../../../workers/api'
import { lastIndex } from './plot/columns'

/** Null: the chart has no ratio. */
export const lastRatio = (chart: ChartReady): number | null => chart.ratio[lastIndex(chart.ratio)] ?? null

/** Fraction from the chart's first ratio to its last; null: not known. */
export function periodChange(chart: ChartReady): number | null {
  const first = chart.ratio.find(Number.isFinite)
  const last = lastRatio(chart)
  return first === undefined || first === 0 || last === null ? null : last / first - 1
}
