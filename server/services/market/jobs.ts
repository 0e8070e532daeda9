import type { MarketSource } from '../../../src/contract/market'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import type { PeriodicJob } from '../../jobs/periodic'
import { removeByAge, type RetentionParts } from '../retention/retention-time'
import type { CoinList } from './coin-list'
import { dropOldPoints, foldPoints } from './points'
import type { Polling } from './polling'
import { movedSince } from './prices'

interface Parts extends RetentionParts {
  readonly source: MarketSource
  readonly coins: CoinList
  readonly polling: Polling
  /** Milliseconds from one poll to the next. */
  readonly pollEvery: number
}

/** What has to be done for prices again and again, by one process of those that share the database. */
export function marketJobs(parts: Parts): readonly PeriodicJob[] {
  const { source, clock, coins, polling, pollEvery } = parts
  const { pool } = parts.database
  // The first fold looks back as far as a stop may have left something unfolded.
  let foldedAt: number | null = null

  return [
    { name: 'market-coins', every: 30_000, run: () => coins.refreshIfDue() },
    { name: 'market-prices', every: pollEvery, run: () => polling.poll() },
    {
      name: 'market-fold',
      every: 5 * MINUTE,
      run: async () => {
        const now = clock()
        const since = Math.min(now, foldedAt ?? now) - (foldedAt === null ? 2 * DAY : HOUR)
        await foldPoints(pool, await movedSince(pool, source, since), since)
        foldedAt = now
      },
    },
    {
      name: 'market-retention',
      every: 6 * HOUR,
      run: (signal) => removeByAge(parts, (now) => dropOldPoints(pool, now, signal)),
    },
  ]
}
