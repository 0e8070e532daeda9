import { BUCKET_MS, type Granularity } from '../../../src/domain/granularity'
import { lowerBound } from '../../../src/domain/series'

/**
 * Buckets that may be missing before a provider is asked. Three is the widest gap that a chart bridges; five-minute
 * buckets may be polled somewhat more slowly than they come, and two days without a daily point is a day too many.
 */
const SLACK: Readonly<Record<Granularity, number>> = { fiveMinutely: 4, thirtyMinutely: 3, hourly: 3, daily: 2 }

export interface Span {
  /** Milliseconds. */
  readonly from: number
  readonly until: number
}

/**
 * Where `times` (bucket starts, ascending) leave a span without points for longer than a level bears; a span without any
 * point is a gap as soon as it is as wide as a bucket.
 */
export function gapsIn(times: Float64Array, granularity: Granularity, { from, until }: Span): Span[] {
  const size = BUCKET_MS[granularity]
  const widest = SLACK[granularity] * size
  const first = lowerBound(times, from - size)
  if (first === times.length || times[first]! > until) return until - from >= size ? [{ from, until }] : []
  const gaps: Span[] = []
  let last = from
  for (let i = first; i < times.length && times[i]! <= until; i++) {
    if (times[i]! - last > widest) gaps.push({ from: last, until: times[i]! })
    last = Math.max(last, times[i]!)
  }
  if (until - last > widest) gaps.push({ from: last, until })
  return gaps
}

/** Whether a gap is left that no answer has covered: one that was asked for and came empty is not asked for again. */
export function isWanting(gaps: readonly Span[], granularity: Granularity, covered: Span | null): boolean {
  const slack = SLACK[granularity] * BUCKET_MS[granularity]
  return gaps.some((gap) => covered === null || gap.from < covered.from - slack || gap.until > covered.until + slack)
}
