import { beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../server/logger'
import { priceStore } from '../../server/services/market/prices/price-store'
import type { MarketSource } from '../../src/contract/market'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import { listCoins, pricesOf, WATCHED } from './support/alert-prices'

/* A database whose alerts were judged by one source of prices, opened by processes with another. */

let me: Person
let logged: string[]
const server = withServer()
beforeEach(async () => {
  await server.reset()
  const { pool } = server.database
  await pool.query('TRUNCATE alert_source, market_coins CASCADE')
  for (const source of ['simulated', 'coingecko'] as const) await listCoins(pool, ['bitcoin', 'ethereum'], source)
  logged = []
  me = server.guest()
})

const watch = () => me.create(WATCHED)

/** A process: each of its updates brings these prices. */
function processWith(source: MarketSource, isNamed: boolean): (bitcoin: number) => Promise<void> {
  const { database, clock } = server
  const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'warn' }, { write: (line) => logged.push(line) })
  const store = priceStore({ pool: database.pool, source, isNamed, clock, logger })
  return (bitcoin) => store(pricesOf({ bitcoin, ethereum: 10 }, clock()), { history: true })
}
const fired = async () =>
  (await server.database.pool.query('SELECT ratio FROM alert_events ORDER BY ratio')).rows.map(({ ratio }) => ratio)

test('alerts judged by CoinGecko’s prices are not judged by simulated prices that nobody has named, in any process', async () => {
  await watch()
  const real = processWith('coingecko', false)
  await real(100)
  for (const invented of [processWith('simulated', false), processWith('simulated', false)]) {
    await invented(990)
    await invented(10)
  }
  expect(await fired()).toEqual([])
  // Each process says so once.
  expect(logged.filter((line) => line.includes('alerts are NOT judged'))).toHaveLength(2)
  await real(130)
  expect(await fired()).toEqual([13])
})

test('an operator who names another source has alerts judged by it from then on', async () => {
  await watch()
  await processWith('coingecko', true)(100)
  await processWith('simulated', true)(130)
  expect(await fired()).toEqual([13])
  await processWith('coingecko', false)(10)
  expect(await fired()).toEqual([13])
  await processWith('coingecko', true)(10)
  expect(await fired()).toEqual([1, 13])
})

test('a source that had no alert to judge yet gives way to another that nobody has named', async () => {
  const invented = processWith('simulated', false)
  await invented(100)
  await watch()
  await processWith('coingecko', false)(130)
  expect(await fired()).toEqual([13])
})
