import { DAY, MINUTE } from '../domain/granularity'
import type { Period } from '../domain/period'

/**
 * The period to fetch for a coin whose newest five-minute point stands at `newest`; null: it is fresh enough. A point
 * in the future says nothing: the clock that wrote it was wrong.
 * @param newest milliseconds; null: there is no point
 */
export function stalePeriod(newest: number | null, now: number): Period | null {
  if (newest === null || newest > now + 15 * MINUTE) return '1d'
  const age = now - newest
  if (age > 90 * DAY) return '1y'
  if (age > 7 * DAY) return '3m'
  if (age > DAY) return '7d'
  return age > 15 * MINUTE ? '1d' : null
}
