import type { ChartReady } from '../../../../workers/api'

/** A column as uPlot wants it: a gap is null, and a single NaN would make it draw nothing at all. */
export type PlotColumn = Float64Array | (number | null)[]

function isWhole(column: Float64Array): boolean {
  // A loop: `every` calls a function for each of up to 35,000 points, which took a tenth of the drawing.
  for (let i = 0; i < column.length; i += 1) if (!Number.isFinite(column[i])) return false
  return true
}

/** The column itself where it is whole; a copy with nulls where it has gaps. */
export function plotColumn(column: Float64Array): PlotColumn {
  return isWhole(column) ? column : Array.from(column, (value) => (Number.isFinite(value) ? value : null))
}

export type PlotData = [times: Float64Array, upper: PlotColumn, lower: PlotColumn, ema: PlotColumn, ratio: PlotColumn]

/** In the order they are drawn: the ratio on top. */
export const plotData = (chart: ChartReady): PlotData => [
  chart.times,
  plotColumn(chart.upper),
  plotColumn(chart.lower),
  plotColumn(chart.ema),
  plotColumn(chart.ratio),
]

/** The last index at which a column has a value; -1: it has none. */
export function lastIndex(column: ArrayLike<number | null | undefined>): number {
  for (let i = column.length - 1; i >= 0; i -= 1) {
    const value = column[i]
    if (value != null && Number.isFinite(value)) return i
  }
  return -1
}
