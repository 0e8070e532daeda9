import { DAY } from './granularity'
import { daysBelow } from './pair-moments'
import { type RatioSeries, sliceRatios } from './ratio-series'

/** Rank of a ratio among those of the days before it. */
export interface RangePlace {
  /** Days whose closing ratio is known. */
  readonly days: number
  /** Days on which the ratio closed lower than it is now, of equal ones half. */
  readonly below: number
  readonly low: number
  readonly median: number
  readonly high: number
}

export const RANGE_DAYS = 90
/** With fewer known days there is no rank within 90 days. */
const MIN_DAYS = 85

/**
 * The place of `ratio` within 90 days: closing ratios of whole UTC days for the rank, all points for low, median and high,
 * which include the present. Null: too many days are missing.
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
    below: [...closes.values()].reduce((count, close) => count + daysBelow(close, ratio), 0),
    low: sorted[0]!,
    median: (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2,
    high: sorted.at(-1)!,
  }
}

/**
 * The span of a range bar: nine tenths of 90 days, on which thresholds and ratios have their places; the last day's extremes
 * while 90 days are not known.
 */
export interface RangeScale {
  readonly of: 'days' | 'day'
  /** The ratios between which the bar is even, from < to; beyond them a margin is left at either side. */
  readonly from: number
  readonly to: number
}

/** Part of the bar on either side that shows what lies beyond its scale. */
const MARGIN = 0.1
/** A ratio that never moved stands in the middle of a scale that reaches this far to either side. */
const WIDENED = 0.01

export function rangeScale(of: RangeScale['of'], low: number, high: number): RangeScale {
  return low < high ? { of, from: low, to: high } : { of, from: low * (1 - WIDENED), to: low * (1 + WIDENED) }
}

/** Place of a ratio on the scale, 0 to 1; one too far out stands at the edge. */
export function placeOnRange({ from, to }: RangeScale, ratio: number): number {
  const place = MARGIN + ((1 - 2 * MARGIN) * (ratio - from)) / (to - from)
  return Math.min(1, Math.max(0, place))
}

/** Between the extremes of a day's ratios; null where there are none. */
export function dayScale(ratios: Float64Array): RangeScale | null {
  let low = Infinity
  let high = -Infinity
  for (const ratio of ratios) {
    if (ratio < low) low = ratio
    if (ratio > high) high = ratio
  }
  return low <= high ? rangeScale('day', low, high) : null
}
