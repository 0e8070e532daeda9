import { type Bands, bandsAround } from './bands'
import { averagePoints } from './ema'
import { liveSlot, type LiveSlot } from './live-slot'
import { livePlace } from './live-place'
import { estimatePeriod } from './oscillation'
import { chartError, type ChartInput, type ChartLacking, pairSeries } from './pair-series'
import { PERIOD_RULES } from './period'
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
  /** What moves the last point with the prices (extend-chart.ts); null where it is not theirs or cannot be moved alone. */
  readonly live: LiveSlot | null
}

export type ChartResult = { readonly kind: 'ready'; readonly columns: ChartColumns } | ChartLacking

/** Everything the chart of a pair shows of one period. */
export function computeChart(input: ChartInput): ChartResult {
  const pair = pairSeries(input)
  if (pair.kind !== 'series') return pair
  const joined = joinRatios(pair.a, pair.b, pair.b.widths)
  const history = sliceRatios(joined, pair.from)
  if (history.times.length === 0) return chartError('Could not calculate chart ratios.')
  const initial = sliceRatios(joined, pair.averageFrom, pair.from)
  const place = livePlace(history.times, input.live, input.period)
  const { times, ratios } = place === null ? copyOf(history) : closeWith(history, place.prices.time, place.ratio)

  const rules = PERIOD_RULES[input.period]
  const points = averagePoints(times, rules.averageDays)
  const bands = bandsAround(initial.ratios, ratios, points)
  const columns: ChartColumns = {
    times,
    ratio: ratios,
    ...bands,
    from: pair.from,
    averagePoints: points,
    estimatedPeriod: estimatePeriod(times, ratios, rules),
    currentBands: lastOf(bands),
    live:
      place === null ? null : liveSlot({ period: input.period, pair, initial, history, place, points, ema: bands.ema }),
  }
  return { kind: 'ready', columns }
}

function lastOf({ upper, lower }: Bands): { high: number; low: number } | null {
  const high = upper.at(-1) ?? NaN
  const low = lower.at(-1) ?? NaN
  return Number.isFinite(high) && Number.isFinite(low) ? { high, low } : null
}
