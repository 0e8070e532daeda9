import { formatAge } from '../../domain/format-time'
import { PRICES_STALE_AFTER } from '../../state/live-data'
import type { ChartReady } from '../../../workers/api'
import type { Fetch } from './chart-machine'

/**
 * What to say of the data's age; null while it is fresh.
 * @param now milliseconds
 */
export function staleness(chart: ChartReady, fetch: Fetch, now: number): string | null {
  const newest = chart.times[chart.times.length - 1]
  if (newest === undefined) return null
  if (now - newest > PRICES_STALE_AFTER) return `Data from ${formatAge(now - newest)}`
  const failed = fetch.kind === 'ended' && fetch.failure !== null
  return failed && now - chart.fetchedAt > PRICES_STALE_AFTER
    ? `History from ${formatAge(now - chart.fetchedAt)}`
    : null
}

/** A chart that reaches back less far than its period, by this share, says since when it knows the pair. */
const SHORT = 0.03

/** Milliseconds of the first point where the data does not reach back to the period's start; else null. */
export function shortSince({ times, from }: ChartReady): number | null {
  const [first] = times
  const last = times[times.length - 1]
  if (first === undefined || last === undefined) return null
  return first - from > (last - from) * SHORT ? first : null
}
