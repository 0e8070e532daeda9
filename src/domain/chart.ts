import { type Bands, bandsAround, averagePoints } from './bands'
import { estimatePeriod } from './oscillation'
import { chartError, type ChartInput, type ChartLacking, livePlace, pairSeries } from './pair-series'
import { PERIOD_RULES } from './chart-periods'
import { DAY } from './granularity'
import { closeWith, copyOf, joinRatios, sliceRatios } from './ratio-series'

/** Columns of equal length, times ascending in milliseconds; NaN where a line has no value. */
export interface ChartColumns extends Bands {
  readonly times: Float64Array
  readonly ratio: Float64Array
  /** Left edge of the period, milliseconds. */
  readonly from: number
  /** N of the moving average, points. */
  readonly averagePoints: number
  /** Estimated dominant oscillation period in milliseconds; null: none found. */
  readonly estimatedPeriod: number | null
  readonly currentBands: { readonly high: number; readonly low: number } | null
}

type ChartResult = { readonly kind: 'ready'; readonly columns: ChartColumns } | ChartLacking

/** Days that N ratios may lie in, as a multiple of those of the average: at the border of two levels they are nearly two. */
const LONGEST_WINDOW = 3

/**
 * Takes the bands from points whose last N ratios lie in a longer time than `longest`, such as across a gap of days: their
 * deviation is not of the days that the bands are named after.
 * @param before times of the ratios before the chart
 * @param longest milliseconds
 */
function clearBandsAcrossGaps(
  { upper, lower }: Bands,
  before: Float64Array,
  times: Float64Array,
  points: number,
  longest: number,
): void {
  for (const [index, time] of times.entries()) {
    const first = index - points + 1
    const since = first >= 0 ? times[first]! : (before[Math.max(0, before.length + first)] ?? times[0]!)
    if (time - since > longest) upper[index] = lower[index] = NaN
  }
}

/** Computes all lines and figures of a pair's chart for one period. */
export function computeChart(input: ChartInput): ChartResult {
  const pair = pairSeries(input)
  if (pair.kind !== 'series') return pair
  const joined = joinRatios(pair.a, pair.b, pair.b.widths)
  const history = sliceRatios(joined, pair.from)
  if (history.times.length === 0) return chartError('Could not calculate chart ratios.')
  const initial = sliceRatios(joined, pair.averageFrom, pair.from)
  const place = livePlace(history.times, input.live, input.period)
  const { times, ratios } =
    place === null ? copyOf(history) : closeWith(history, place.prices.providerTime, place.ratio)

  const rules = PERIOD_RULES[input.period]
  const points = averagePoints(times, rules.averageDays)
  const bands = bandsAround(initial.ratios, ratios, points)
  clearBandsAcrossGaps(bands, initial.times, times, points, LONGEST_WINDOW * rules.averageDays * DAY)
  const high = bands.upper.at(-1) ?? NaN
  const low = bands.lower.at(-1) ?? NaN
  const columns: ChartColumns = {
    times,
    ratio: ratios,
    ...bands,
    from: pair.from,
    averagePoints: points,
    estimatedPeriod: estimatePeriod(times, ratios, rules),
    currentBands: Number.isFinite(high) && Number.isFinite(low) ? { high, low } : null,
  }
  return { kind: 'ready', columns }
}
