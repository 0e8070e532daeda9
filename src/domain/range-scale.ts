import type { Thresholds } from './alerts'

/** Lowest and highest ratio of the last day. */
export interface DayRange {
  readonly low: number
  readonly high: number
}

/** An end of the range: a threshold, or what the last day reached where none is set. */
export interface RangeEnd {
  readonly value: number
  readonly from: 'threshold' | 'day'
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
 * The scale between low and high threshold; the last day's extremes stand in for a threshold that is not set, unless
 * they lie beyond the other one. Null where nothing is known.
 */
export function rangeScale(thresholds: Thresholds, day: DayRange | null): RangeScale | null {
  const { low: lowSet, high: highSet } = thresholds
  const dayLow = day !== null && (highSet === null || day.low < highSet) ? day.low : null
  const dayHigh = day !== null && (lowSet === null || day.high > lowSet) ? day.high : null
  const low = end(lowSet, dayLow)
  const high = end(highSet, dayHigh)
  if (low === null) return high && { low, high, span: { from: high.value * (1 - ONE_SIDED), to: high.value } }
  if (high === null) return { low, high, span: { from: low.value, to: low.value * (1 + ONE_SIDED) } }

  // Nothing keeps a user from setting the low threshold above the high one.
  const from = Math.min(low.value, high.value)
  const to = Math.max(low.value, high.value)
  return { low, high, span: from < to ? { from, to } : { from: from * (1 - WIDENED), to: to * (1 + WIDENED) } }
}

const end = (threshold: number | null, day: number | null): RangeEnd | null =>
  threshold !== null ? { value: threshold, from: 'threshold' } : day !== null ? { value: day, from: 'day' } : null

/** Where a ratio stands on the scale, 0 to 1; what is too far out stands at the edge. */
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
