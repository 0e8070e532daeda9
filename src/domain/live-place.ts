import { BUCKET_MS } from './granularity'
import type { LivePrices } from './live-prices'
import { PERIOD_RULES, type Period } from './period'
import { ratioOf } from './ratio'
import { lowerBound } from './series'

/** Where the live point stands in a chart, to which points as new as itself give way. */
export interface LivePlace {
  readonly prices: LivePrices
  readonly ratio: number
  /** How many points of the history stay before it. */
  readonly index: number
}

/**
 * A chart ends where the card stands. History that is more than a bucket newer than the last prices tells more than
 * they do and stays as it is, without a live point: null.
 * @param times of the history inside the period, ascending, milliseconds; not empty
 */
export function livePlace(times: Float64Array, prices: LivePrices | null, period: Period): LivePlace | null {
  if (prices === null) return null
  const ratio = ratioOf(prices.priceA, prices.priceB)
  if (ratio === null || prices.time < earliestLive(times, period)) return null
  return { prices, ratio, index: lowerBound(times, prices.time) }
}

/** The earliest time of a live point after this history, milliseconds. */
export const earliestLive = (times: Float64Array, period: Period): number =>
  times[times.length - 1]! - BUCKET_MS[PERIOD_RULES[period].granularity]
