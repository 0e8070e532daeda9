import type { Pool } from 'pg'
import { Registry } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import { loadEnv } from '../../server/env'
import { createLogger } from '../../server/logger'
import { alertMetrics } from '../../server/services/alerts/metrics'
import { createMarket } from '../../server/services/market/market'
import type { StorePrices } from '../../server/services/market/feed'
import { priceStore } from '../../server/services/market/prices/price-store'
import { readStoredPrices } from '../../server/services/market/prices/stored-prices'
import { applyLimits } from '../../server/services/widgets/arrange'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { crowdCoins, seedCrowd } from './support/alert-crowd'
import { coinGeckoStandIn } from './support/coingecko-stand-in'
import { withServer } from './support/for-file'
import type { Person } from './support/person'
import { listCoins, pricesOf, WATCHED } from './support/alert-prices'

/* Prices come in as the market stores them, and a guest's widget shows what they set off. */

let me: Person
let store: StorePrices
let storeBy: (pool: Pool) => StorePrices
let registry: Registry
let logged: string[]
const server = withServer()
beforeEach(async () => {
  await server.reset()
  await server.database.pool.query('DELETE FROM market_coins')
  await listCoins(server.database.pool, ['bitcoin', 'ethereum', 'solana'])
  registry = new Registry()
  logged = []
  const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'warn' }, { write: (line) => logged.push(line) })
  const metrics = alertMetrics(registry)
  storeBy = (pool) => priceStore({ pool, source: 'simulated', clock: server.clock, metrics, logger })
  store = storeBy(server.database.pool)
  me = server.guest()
})

const watch = (more: object = {}) => me.create({ ...WATCHED, ...more })
const come = (prices: Readonly<Record<string, number>>, at = server.clock()) =>
  store(pricesOf(prices, at), { history: true })
const events = async () =>
  (await server.database.pool.query('SELECT side, epoch, ratio, threshold FROM alert_events ORDER BY epoch, side')).rows
/** [high armed, its epoch, low armed, its epoch] of the first widget. */
const sides = async () => {
  const [first] = await me.list()
  return [first?.high_threshold_active, first?.high_epoch, first?.low_threshold_active, first?.low_epoch]
}

test('an alert side fires once per crossing, re-arms at its threshold and fires again in a new epoch', async () => {
  await watch()
  await come({ bitcoin: 130, ethereum: 10 })
  await come({ bitcoin: 140, ethereum: 10 })
  expect(await sides()).toEqual([false, 0, true, 0])
  await come({ bitcoin: 120, ethereum: 10 })
  expect(await sides()).toEqual([true, 1, true, 0])
  await come({ bitcoin: 121, ethereum: 10 })
  await come({ bitcoin: 70, ethereum: 10 })
  expect(await sides()).toEqual([true, 2, false, 0])
  expect(await events()).toEqual([
    { side: 'high', epoch: 0, ratio: 13, threshold: 12 },
    { side: 'low', epoch: 0, ratio: 7, threshold: 8 },
    { side: 'high', epoch: 1, ratio: 12.1, threshold: 12 },
  ])
  const metrics = await registry.metrics()
  expect(metrics).toContain('alert_crossings_total{side="high"} 2\n')
  expect(metrics).toContain('alert_crossings_total{side="low"} 1\n')
  expect(metrics).toContain('alert_evaluation_seconds_count 5\n')
})

test('a recorded crossing keeps owner, widget, coins, side, ratio, threshold and time after the widget is removed', async () => {
  const { body } = await watch()
  await come({ bitcoin: 0, ethereum: 10 })
  await me.remove(body.id)
  const { rows } = await server.database.pool.query('SELECT * FROM alert_events')
  const owner = await server.database.pool.query<{ id: string }>('SELECT id FROM owners')
  expect(rows).toEqual([
    expect.objectContaining({
      owner_id: owner.rows[0]?.id,
      widget_id: body.id,
      coin_a_id: 'bitcoin',
      coin_b_id: 'ethereum',
      coin_a_symbol: 'BIT',
      coin_b_symbol: 'ETH',
      side: 'low',
      epoch: 0,
      ratio: 0,
      threshold: 8,
      crossed_at: new Date(server.clock()),
    }),
  ])
})

test('widgets with alerts off, inactive widgets and disarmed sides record no crossing; a reactivated widget does', async () => {
  await watch({ notifications_enabled: false })
  const silent = await watch({ coin_a_id: 'solana', high_threshold: 1, low_threshold: null })
  await me.update(silent.body.id, { high_threshold_active: false })
  await me.add('ethereum', 'bitcoin')
  const last = await watch({ coin_a_id: 'ethereum', coin_b_id: 'solana', high_threshold: 0.1, low_threshold: null })
  await applyLimits(server.database, { ...server.env, FREE_MAX_WIDGETS: 3 })
  expect((await me.list()).find(({ id }) => id === last.body.id)?.is_active).toBe(false)
  await come({ bitcoin: 130, ethereum: 10, solana: 20 })
  expect(await events()).toEqual([])

  // Once there is room for it, the next update finds it.
  const [first] = await me.list()
  await me.remove(first?.id ?? '')
  await come({ solana: 20 })
  expect(await events()).toEqual([{ side: 'high', epoch: 0, ratio: 0.5, threshold: 0.1 }])
})

test('a price whose provider time is over ten minutes old neither fires nor re-arms an alert', async () => {
  await watch()
  const since = server.clock()
  await come({ bitcoin: 100, ethereum: 10 })
  server.clock.advance(10 * MINUTE)
  await come({ bitcoin: 130 })
  expect(await sides()).toEqual([false, 0, true, 0])

  server.clock.advance(1)
  await come({ ethereum: 10 }, since)
  await come({ bitcoin: 70 })
  await come({ bitcoin: 100 })
  expect(await sides()).toEqual([false, 0, true, 0])
  await come({ ethereum: 10 })
  expect(await sides()).toEqual([true, 1, true, 0])
  expect(await events()).toHaveLength(1)
})

test('a price that was not confirmed for over ten minutes fires no alert, however recent its provider time', async () => {
  await watch()
  await come({ ethereum: 10 }, server.clock() + 9 * MINUTE)
  server.clock.advance(10 * MINUTE + 1)
  await come({ bitcoin: 130 })
  expect(await events()).toEqual([])
  await come({ ethereum: 10 })
  expect(await events()).toHaveLength(1)
})

test('a stale price of the first coin of a pair fires no alert when only the second coin is updated', async () => {
  await watch()
  await come({ bitcoin: 100, ethereum: 10 })
  server.clock.advance(10 * MINUTE + 1)
  await come({ ethereum: 5 })
  expect(await events()).toEqual([])
  await come({ bitcoin: 100 })
  expect(await events()).toEqual([{ side: 'high', epoch: 0, ratio: 20, threshold: 12 }])
})

test('a pair whose second coin has no price or a price of zero fires no alert and stays armed', async () => {
  await watch()
  await come({ bitcoin: 100 })
  await come({ ethereum: 0 })
  expect(await sides()).toEqual([true, 0, true, 0])
  expect(await events()).toEqual([])
})

test('prices are stored though alert evaluation fails, and the next price update finds the crossing', async () => {
  await watch()
  await server.database.pool.query('ALTER TABLE alert_events RENAME TO elsewhere')
  await come({ bitcoin: 130, ethereum: 10 })
  await server.database.pool.query('ALTER TABLE elsewhere RENAME TO alert_events')
  expect((await readStoredPrices(server.database.pool, 'simulated')).get('bitcoin')?.usd).toBe(130)
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['alerts could not be judged'])
  expect(await sides()).toEqual([true, 0, true, 0])
  expect(await registry.metrics()).toContain('alert_crossings_total{side="high"} 0\n')
  await come({ ethereum: 10 })
  expect(await events()).toEqual([{ side: 'high', epoch: 0, ratio: 13, threshold: 12 }])
})

test('a price update that cannot be stored fires no alert and stores no price', async () => {
  await watch()
  await expect(come({ bitcoin: 130, ethereum: NaN })).rejects.toThrow('_usd')
  expect(await events()).toEqual([])
  expect((await readStoredPrices(server.database.pool, 'simulated')).size).toBe(0)
})

test('a crossing that is already recorded does not stop the crossing of another widget in the same update', async () => {
  const { body } = await watch()
  await watch({ coin_a_id: 'solana' })
  await server.database.pool.query(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio, threshold, crossed_at)
     SELECT owner_id, id, coin_a_id, coin_b_id, 'BIT', 'ETH', 'high', 0, 12.5, 12, now() FROM widgets WHERE id = $1`,
    [body.id],
  )
  await come({ bitcoin: 130, ethereum: 10, solana: 140 })
  expect((await events()).map(({ ratio }) => ratio).toSorted()).toEqual([12.5, 14])
})

test('prices from the coin list, the price poll and an on-demand request all fire or re-arm alerts', async () => {
  const gecko = await coinGeckoStandIn(server.clock)
  let bitcoin = 130
  gecko.coins.set('bitcoin', { id: 'bitcoin', rank: 1, price: () => bitcoin })
  gecko.coins.set('ethereum', { id: 'ethereum', rank: 2, price: () => 10 })
  const env = loadEnv({ MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: gecko.url, PRICE_POLL_SECONDS: '60' })
  const market = await createMarket({ env, database: server.database, clock: server.clock })
  const step = async (usd: number, bring: () => Promise<unknown>) => {
    bitcoin = usd
    server.clock.advance(5 * MINUTE)
    await bring()
    return sides()
  }
  await watch()
  expect(await step(130, () => market.start())).toEqual([false, 0, true, 0])
  const poll = market.jobs.find(({ name }) => name === 'market-prices')!
  expect(await step(100, () => poll.run(new AbortController().signal))).toEqual([true, 1, true, 0])
  expect(await step(70, () => market.prices(['bitcoin', 'ethereum'] as CoinId[]))).toEqual([true, 1, false, 0])
  await market.stop()
  await gecko.close()
})

/** More crossings at once than are judged in one transaction. */
async function moveAll(keep: StorePrices) {
  // Crowds know pairs by their numbers, from 1.
  await server.database.pool.query('TRUNCATE pairs RESTART IDENTITY CASCADE')
  await seedCrowd(server.database.pool, { widgets: 3_000, pairs: 100, now: server.clock() })
  await keep(new Map(crowdCoins().map((id) => [id, { usd: id === 'c1' ? 1 : 1e6, providerTime: server.clock() }])), {
    history: true,
  })
}

test('a price update whose second alert batch fails keeps the first batch, and the next updates find more crossings', async () => {
  let connections = 0
  const { pool } = server.database
  const failing = {
    connect: () => ((connections += 1) === 2 ? Promise.reject(new Error('no connection')) : pool.connect()),
  } as unknown as Pool
  await moveAll(storeBy(failing))
  expect(logged.join()).toMatch(/no connection.*more alerts could not be judged/)
  const { length } = await events()
  expect(length).toBeGreaterThan(0)
  await come({ c1: 1 })
  await come(Object.fromEntries(crowdCoins().map((id) => [id, id === 'c1' ? 1 : 1e6])))
  expect((await events()).length).toBeGreaterThan(length)
})

test('a price move of over 2,000 crossings is judged past the first batch, and each widget that fired has a disarmed side', async () => {
  await moveAll(store)
  const armed = await server.database.pool.query(
    `SELECT widgets.id FROM widgets JOIN alert_events ON widget_id = widgets.id WHERE high_threshold_active AND low_threshold_active`,
  )
  expect(armed.rowCount).toBe(0)
  expect((await events()).length).toBeGreaterThan(2_000)
  expect(await registry.metrics()).toContain(`alert_evaluation_seconds_count 2\n`)
})
