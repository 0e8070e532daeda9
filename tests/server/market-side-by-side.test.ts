import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { createMarket } from '../../server/services/market/create'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { coinGeckoStandIn, type CoinGeckoStandIn } from './support/coingecko-stand-in'
import { testClock } from './support/test-app'
import { freshDatabase, type TestDatabase } from './support/test-database'

const ROUNDS = 12
let database: TestDatabase
let gecko: CoinGeckoStandIn
const clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))

beforeAll(async () => {
  database = await freshDatabase()
  gecko = await coinGeckoStandIn(clock)
})
afterAll(async () => {
  await gecko.close()
  await database.close()
})

// The embedded database has one session, so there nothing can wait for each other; TEST_DATABASE_URL names one that has more.
test('levels of a coin that was polled before are fetched at once, and none waits for the other for ever', async () => {
  const env = loadEnv({ MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: gecko.url, COINGECKO_MONTHLY_CALLS: '1000000' })
  const market = await createMarket({ env, database, clock })
  await market.start()
  await market.prices(['bitcoin', 'solana'])
  clock.advance(2 * MINUTE)
  for (let round = 0; round < ROUNDS; round++) {
    const asked = ['bitcoin', 'solana'].map((id) => market.history(id as CoinId, '7d'))
    for (const { complete } of await Promise.all(asked)) expect(complete).toBe(true)
    // As it was before: what was polled, and nothing else.
    await database.pool.query(
      `DELETE FROM market_points WHERE level > 0 OR bucket < (SELECT max(bucket) FROM market_points WHERE level = 0);
       DELETE FROM market_fetches`,
    )
  }
  await market.stop()
})
