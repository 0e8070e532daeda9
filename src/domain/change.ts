import { DAY, MINUTE } from './granularity'
import { type RatioSeries, valueBefore } from './ratio-series'

/** current / base - 1, as a fraction; null where either is missing or the base is not above zero. */
export function relativeChange(current: number | null, base: number | null): number | null {
  if (current === null || base === null || !(base > 0)) return null
  const change = current / base - 1
  return Number.isFinite(change) ? change : null
}

/** A ratio that is further from the moment 24 h ago than this does not speak for it. */
const FARTHEST = 15 * MINUTE

/**
 * Change of the ratio over the 24 hours before `at`, as a fraction.
 * @param sources ratios from the tick buffer and from five-minute history: the point nearest before the moment counts
 */
export function dayChange(current: number | null, at: number, sources: readonly RatioSeries[]): number | null {
  const moment = at - DAY
  let nearest: { time: number; ratio: number } | null = null
  for (const source of sources) {
    const point = valueBefore(source, moment)
    if (point !== null && (nearest === null || point.time > nearest.time)) nearest = point
  }
  if (nearest === null || moment - nearest.time > FARTHEST) return null
  return relativeChange(current, nearest.ratio)
}
