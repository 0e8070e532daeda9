import type { Pool } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import type { PeriodicJob } from '../../jobs/periodic'
import type { CoinList } from './coin-list'
import { dropOldPoints, foldPoints } from './points'
import type { Polling } from './polling'
import { movedSince } from './prices'

interface Parts {
  readonly pool: Pool
  readonly source: MarketSource
  readonly clock: () => number
  readonly coins: CoinList
  readonly polling: Polling
  /** Milliseconds from one poll to the next. */
  readonly pollEvery: number
}

/** What has to be done for prices again and again, by one process of those that share the database. */
export function marketJobs({ pool, source, clock, coins, polling, pollEvery }: Parts): readonly PeriodicJob[] {
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
    { name: 'market-retention', every: 6 * HOUR, run: () => dropOldPoints(pool, clock()) },
  ]
}
