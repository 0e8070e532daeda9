import { runningDeviation } from './deviation'
import { seedOf, stepTowards, weightOf } from './ema'

const DEVIATIONS = 2

/** Columns as long as the chart's ratios; the bands are NaN while a deviation is missing. */
export interface Bands {
  readonly ema: Float64Array
  readonly upper: Float64Array
  readonly lower: Float64Array
}

/**
 * Moving average and the bands two sample deviations above and below it.
 * @param initial ratios of the window just before the chart, which seed the average and fill the first windows
 * @param points N of the average and of the deviation
 */
export function bandsAround(initial: Float64Array, chart: Float64Array, points: number): Bands {
  const deviation = runningDeviation(joined(initial, chart), points, initial.length)
  const ema = new Float64Array(chart.length)
  const lower = new Float64Array(chart.length)
  // The deviations' column becomes the upper band: a fresh one would cost as much as the arithmetic.
  const upper = deviation
  const weight = weightOf(points)
  let average = seedOf(initial, chart, points)
  for (let i = 0; i < chart.length; i++) {
    average = stepTowards(average, chart[i]!, weight)
    const reach = DEVIATIONS * deviation[i]!
    ema[i] = average
    lower[i] = average - reach
    upper[i] = average + reach
  }
  return { ema, upper, lower }
}

function joined(first: Float64Array, second: Float64Array): Float64Array {
  if (first.length === 0) return second
  const all = new Float64Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
