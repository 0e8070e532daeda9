import type { Thresholds } from './alerts'
import { DAY } from './granularity'
import { type RatioSeries, sliceRatios } from './ratio-series'

/** Rank of a ratio among those of the days before it. */
export interface RangePlace {
  /** Days whose closing ratio is known. */
  readonly days: number
  /** Days on which the ratio closed lower than it is now. */
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
    below: [...closes.values()].filter((close) => close < ratio).length,
    low: sorted[0]!,
    median: (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2,
    high: sorted.at(-1)!,
  }
}

/** Lowest and highest ratio of the last day. */
export type DayRange = Pick<RangePlace, 'low' | 'high'>

/** An end of the range: a threshold, else the extreme of the last day, or without any threshold where 90 days begin to be rare. */
export interface RangeEnd {
  readonly value: number
  readonly from: 'threshold' | 'day' | 'days'
}

/** A line on which ratios have a place. At least one end is there. */
export interface RangeScale {
  readonly low: RangeEnd | null
  readonly high: RangeEnd | null
  /** The ratios between which the scale is even; beyond them a margin is left at either side. */
  readonly span: { readonly from: number; readonly to: number }
}

/** Part of the scale on either side that shows what lies beyond its ends. */
const MARGIN = 0.1
/** With one end only, the span reaches this far on the other side of it. */
const ONE_SIDED = 0.1
/** Ends that coincide are drawn this far apart. */
const WIDENED = 0.01

/**
 * The scale between low and high threshold; the last day's extreme stands in for a missing threshold, unless it lies
 * beyond the other one. Null: nothing is known.
 * @param from the range whose ends `day` holds
 */
export function rangeScale(
  thresholds: Thresholds,
  day: DayRange | null,
  from: Exclude<RangeEnd['from'], 'threshold'> = 'day',
): RangeScale | null {
  const { low: lowSet, high: highSet } = thresholds
  const dayLow = day !== null && (highSet === null || day.low < highSet) ? day.low : null
  const dayHigh = day !== null && (lowSet === null || day.high > lowSet) ? day.high : null
  const low = end(lowSet, dayLow, from)
  const high = end(highSet, dayHigh, from)
  if (low === null) return high && { low, high, span: { from: high.value * (1 - ONE_SIDED), to: high.value } }
  if (high === null) return { low, high, span: { from: low.value, to: low.value * (1 + ONE_SIDED) } }

  // The user may have set the low threshold above the high one.
  const least = Math.min(low.value, high.value)
  const most = Math.max(low.value, high.value)
  const span = least < most ? { from: least, to: most } : { from: least * (1 - WIDENED), to: most * (1 + WIDENED) }
  return { low, high, span }
}

const end = (threshold: number | null, day: number | null, from: RangeEnd['from']): RangeEnd | null =>
  threshold !== null ? { value: threshold, from: 'threshold' } : day !== null ? { value: day, from } : null

/** Place of a ratio on the scale, 0 to 1; one too far out stands at the edge. */
export function placeOnRange({ span }: RangeScale, ratio: number): number {
  const place = MARGIN + ((1 - 2 * MARGIN) * (ratio - span.from)) / (span.to - span.from)
  return Math.min(1, Math.max(0, place))
}

/** The extremes of a day's ratios; null where there are none. */
export function dayRange(ratios: Float64Array): DayRange | null {
  let low = Infinity
  let high = -Infinity
  for (const ratio of ratios) {
    if (ratio < low) low = ratio
    if (ratio > high) high = ratio
  }
  return low <= high ? { low, high } : null
}
