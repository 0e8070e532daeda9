import { DAY, MINUTE } from './granularity'
import { type RatioSeries, valueNearest } from './ratio-series'

/** current / base - 1, as a fraction; null where either is missing or the base is not above zero. */
export function relativeChange(current: number | null, base: number | null): number | null {
  if (current === null || base === null || !(base > 0)) return null
  const change = current / base - 1
  return Number.isFinite(change) ? change : null
}

/** A point that is further from the moment 24 h ago than this, on either side, does not speak for that moment. */
const FARTHEST = 15 * MINUTE

/**
 * Change of the ratio over the 24 hours before `at`, as a fraction: from the point nearest to the moment 24 h ago, before
 * or after it, of two equally near the earlier.
 * @param sources ratios from the tick buffer and from five-minute history; of equally near points the first source's counts
 */
export function dayChange(current: number | null, at: number, sources: readonly RatioSeries[]): number | null {
  const moment = at - DAY
  let nearest: { time: number; ratio: number } | null = null
  for (const source of sources) {
    const point = valueNearest(source, moment)
    if (point !== null && (nearest === null || Math.abs(point.time - moment) < Math.abs(nearest.time - moment))) {
      nearest = point
    }
  }
  if (nearest === null || Math.abs(nearest.time - moment) > FARTHEST) return null
  return relativeChange(current, nearest.ratio)
}
