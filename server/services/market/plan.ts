import type { Reach } from '../../adapters/market-data/provider'
import { coarserThan, GRANULARITIES, type Granularity } from '../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../src/domain/period'
import type { Span } from './gaps'

export interface Wanted extends Span {
  readonly granularity: Granularity
}

/** What a chart of this period looks at: the period and the initial-average window before it. */
export function chartSpan(period: Period, now: number): Span {
  const { duration, initialAverage } = PERIOD_RULES[period]
  return { from: now - duration - initialAverage, until: now }
}

/**
 * Which levels to ask a provider for so that a chart has its span. A level that it does not offer is folded from the next
 * finer one that it does; what lies beyond the reach of one level comes from the next coarser one.
 */
export function wantedLevels(period: Period, reach: Reach, now: number): Wanted[] {
  const own = PERIOD_RULES[period].granularity
  const { from } = chartSpan(period, now)
  const finer = GRANULARITIES.slice(0, GRANULARITIES.indexOf(own)).findLast((level) => reach[level] !== undefined)
  const levels =
    reach[own] === undefined && finer !== undefined ? [finer, ...coarserThan(own)] : [own, ...coarserThan(own)]
  const wanted: Wanted[] = []
  let until = now
  for (const granularity of levels) {
    const reaches = reach[granularity]
    if (reaches === undefined) continue
    const start = Math.max(from, now - reaches)
    if (start < until) wanted.push({ granularity, from: start, until })
    until = Math.min(until, start)
    if (until <= from) break
  }
  return wanted
}
