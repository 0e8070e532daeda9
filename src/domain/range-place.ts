import { DAY } from './granularity'
import { type RatioSeries, sliceRatios } from './ratio-series'

/** Rank of a ratio among those of the days before it. */
export interface RangePlace {
  /** Days that are compared: those whose closing ratio is known. */
  readonly days: number
  /** On how many of them the ratio closed lower than it is now. */
  readonly below: number
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Days looked back upon. */
export const RANGE_DAYS = 90
/** With fewer days than this, nothing is said of 90 days. */
const MIN_DAYS = 85

/**
 * The place of `ratio` within 90 days: closing ratios of whole UTC days for the rank, all points for low, median and high,
 * which include the present. Null where too many days are missing.
 * @param now milliseconds
 */
export function rangePlace(series: RatioSeries, ratio: number, now: number): RangePlace | null {
  const { times, ratios } = sliceRatios(series, now - RANGE_DAYS * DAY, now)
  const today = Math.floor(now / DAY)
  const closes = new Map<number, number>()
  for (const [index, time] of times.entries()) {
    const day = Math.floor(time / DAY)
    if (day < today && day >= today - RANGE_DAYS) closes.set(day, ratios[index]!)
  }
  if (closes.size < MIN_DAYS) return null
  const sorted = Float64Array.of(...ratios, ratio).toSorted()
  return {
    days: closes.size,
    below: [...closes.values()].filter((close) => close < ratio).length,
    low: sorted[0]!,
    median: (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2,
    high: sorted.at(-1)!,
  }
}
