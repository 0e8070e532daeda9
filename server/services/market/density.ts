import { BUCKET_MS, coarserThan, type Granularity } from '../../../src/domain/granularity'
import type { Series } from '../../../src/domain/series'

/** Neighbours farther apart than so many buckets are not of one level: a chart does not join them either. */
const DENSE = 3

export interface LevelPart {
  readonly granularity: Granularity
  readonly series: Series
}

/**
 * A provider fills the old end of a level with more widely spaced points where it has no others. They belong to the
 * level of their spacing: among the finer ones they would be gaps that nobody sees.
 * @returns the part that is dense enough, and the head of coarser points where there is one
 */
export function splitByDensity({ times, prices }: Series, granularity: Granularity): LevelPart[] {
  const next = coarserThan(granularity)[0]
  if (next === undefined) return [{ granularity, series: { times, prices } }]
  const wide = Math.max(BUCKET_MS[next] / 2, BUCKET_MS[granularity] * 1.5)
  let head = 0
  let narrowest = Infinity
  while (head + 1 < times.length && times[head + 1]! - times[head]! >= wide) {
    narrowest = Math.min(narrowest, times[head + 1]! - times[head]!)
    head++
  }
  // The last coarse point before the dense ones may stand closer to them than to its like.
  if (head > 0 && head + 1 < times.length && times[head + 1]! - times[head]! > DENSE * BUCKET_MS[granularity]) head++
  // Two or three lone points are an outage rather than another spacing.
  if (head < 3) return [{ granularity, series: { times, prices } }]
  const coarse = coarserThan(granularity).findLast((level) => BUCKET_MS[level] <= narrowest * 2) ?? next
  return [
    { granularity: coarse, series: { times: times.slice(0, head), prices: prices.slice(0, head) } },
    { granularity, series: { times: times.slice(head), prices: prices.slice(head) } },
  ]
}
