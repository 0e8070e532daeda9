import { expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { closeDays } from '../../server/services/market/history/closes'
import { noteAsked } from '../../server/services/market/prices/watched-coins'
import { saveCoins } from '../../server/services/market/coin-list'
import { createMarket } from '../../server/services/market/market'
import { savePrices } from '../../server/services/market/prices/stored-prices'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { coinGeckoStandIn } from './support/coingecko-stand-in'
import { testClock } from './support/test-clock'

import { forFile, withDatabase } from './support/for-file'
import { listCoins } from './support/alert-prices'

/** The embedded database has one session, in which nobody waits for another; TEST_DATABASE_URL names one that has more. */
const ROUNDS = process.env['TEST_DATABASE_URL'] ? 12 : 1
const clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
const database = withDatabase()
const gecko = forFile(
  () => coinGeckoStandIn(clock),
  (one) => one.close(),
)

test('simultaneous history requests for two coins that were polled before all complete without a deadlock', async () => {
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

test('the same prices stored three times at once, in opposite orders, are all saved without a deadlock', async () => {
  const ids = Array.from({ length: 200 }, (_, i) => `coin-${i}`)
  await listCoins(database.pool, ids, 'coingecko')
  for (let round = 1; round <= ROUNDS; round++) {
    const at = clock() + round * 1000
    const store = (some: readonly string[]) =>
      savePrices(database.pool, 'coingecko', new Map(some.map((id) => [id, { usd: round, providerTime: at }])), at, {
        history: true,
      })
    await expect(Promise.all([store(ids), store(ids.toReversed()), store(ids)])).resolves.toHaveLength(3)
  }
})

test('a new list of coins, the closes of a day and what clients ask for are stored at once without a deadlock', async () => {
  const coins = Array.from({ length: 300 }, (_, rank) => ({
    id: `listed-${rank}`,
    symbol: 'x',
    name: 'X',
    image: null,
    market_cap_rank: rank + 1,
    usd: 1,
    providerTime: clock(),
  }))
  await saveCoins(database.pool, 'coingecko', coins, clock())
  const { rows } = await database.pool.query<{ key: number; id: string }>(
    `SELECT key, id FROM market_coins WHERE id LIKE 'listed-%' ORDER BY key`,
  )
  const midnight = Date.UTC(2026, 0, 15)
  for (let round = 1; round <= ROUNDS; round++) {
    // Nearer to midnight each time, so that each is a better close of the day that has ended.
    const at = midnight + (100 - round) * MINUTE
    await savePrices(
      database.pool,
      'coingecko',
      new Map(rows.map(({ id }) => [id, { usd: 2, providerTime: at }])),
      at,
      { history: false },
    )
    await database.pool.query('UPDATE market_prices SET at = $1', [at])
    await expect(
      Promise.all([
        closeDays(database.pool, 'coingecko', 0, clock()),
        saveCoins(database.pool, 'coingecko', coins.toReversed(), clock()),
        noteAsked(
          database.pool,
          rows.map(({ key }) => key).toSorted((a, b) => ((a * 7) % 31) - ((b * 7) % 31)),
          clock(),
        ),
        saveCoins(database.pool, 'coingecko', coins.slice(20), clock()),
      ]),
    ).resolves.toHaveLength(4)
  }
})
