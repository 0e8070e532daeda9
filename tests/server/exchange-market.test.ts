import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FeedEvents, OpenFeed } from '../../server/adapters/market-stream/exchange-feed'
import { loadEnv } from '../../server/env'
import { createMarket, type RunningMarket } from '../../server/services/market/market'
import { exchangeInUse } from '../../server/services/market/prices/stored-prices'
import { MINUTE } from '../../src/domain/granularity'
import { clock, database, gecko, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'

/* The market between CoinGecko's stand-in and the feed of an exchange that the test speaks for. */

useMarketScene()

let market: RunningMarket
let events: FeedEvents
let opened: string[]
let watched: readonly string[]
let logged: { level: number; msg: string; coin?: string }[]
let stopping: AbortController
let running: Promise<void>
let poll: () => Promise<void>

const openFeed: OpenFeed = (exchange, its) => {
  opened.push(exchange)
  events = its
  return {
    watch: (symbols) => {
      watched = symbols
    },
    close: async () => undefined,
  }
}

beforeEach(async () => {
  opened = []
  watched = []
  logged = []
  gecko.coins.clear()
  for (const [id, symbol, price] of [
    ['bitcoin', 'btc', 100],
    ['ethereum', 'eth', 10],
    ['false-bitcoin', 'btc', 1],
  ] as const) {
    gecko.coins.set(id, { id, rank: gecko.coins.size + 1, symbol, price: () => price })
  }
  await begin('kraken')
})
afterEach(() => end())

/** Runs the job of prices, whose polls come every 60 s of this machine: `poll` brings one at once. */
async function begin(MARKET_STREAM: string): Promise<void> {
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) })
  const variables = { MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: gecko.url, PRICE_POLL_SECONDS: '60' }
  const env = loadEnv({ ...variables, COINGECKO_MONTHLY_CALLS: '1000000', MARKET_STREAM })
  market = await createMarket({ env, database, clock, logger, openFeed })
  await market.start()
  await addPairs(database, [['bitcoin', 'ethereum']])
  await database.pool.query('UPDATE widgets SET notifications_enabled = true, high_threshold = 10.5')
  stopping = new AbortController()
  running = market.jobs.find(({ name }) => name === 'market-prices')!.run(stopping.signal)
  // A price that is asked for out of turn comes by the same way as a poll's.
  poll = async () => {
    clock.advance(5 * MINUTE)
    await market.prices(['bitcoin', 'ethereum'])
  }
  await soon(() => expect(opened).toHaveLength(1))
  events.markets(['BTC/USD', 'ETH/USD', 'SOL/USD'])
  await soon(() => expect(watched).toEqual(['BTC/USD', 'ETH/USD']))
}

async function end(): Promise<void> {
  stopping.abort()
  await running
  await market.stop()
}

const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 30_000, interval: 20 })
const tick = (symbol: string, usd: number, at: number | null = clock()) => events.ticks([{ symbol, usd, at }])
const stored = async (coin: string) => {
  const { usd, via } = (await market.stored()).get(coin)!
  return [usd, via]
}
const soonStored = (coin: string, expected: unknown[]) => soon(async () => expect(await stored(coin)).toEqual(expected))
const crossings = async () => (await database.pool.query('SELECT ratio FROM alert_events')).rows.length
const points = async () =>
  (await database.pool.query<{ usd: number }>('SELECT usd FROM market_points ORDER BY usd')).rows.map(({ usd }) => usd)
const warnings = () => logged.filter(({ level }) => level >= 40).map(({ coin, msg }) => coin ?? msg)

test('a price of the exchange is stored with its name, judged for alerts, and said to be in use', async () => {
  expect(exchangeInUse(await market.stored(), clock())).toBe(null)
  tick('ETH/USD', 10)
  tick('BTC/USD', 102)
  await soonStored('bitcoin', [102, 'kraken'])
  expect(await crossings()).toBe(0)
  clock.advance(1_000)
  tick('ETH/USD', 9.71)
  await soonStored('ethereum', [9.71, 'kraken'])
  await soon(async () => expect(await crossings()).toBe(1))
  expect(exchangeInUse(await market.stored(), clock())).toBe('kraken')
  expect(warnings()).toEqual([])
})

test('an exchange that lies by 10 %, sends no numbers, repeats and reorders makes no alert and no point, and one line in the log for its coin', async () => {
  tick('ETH/USD', 10)
  await soonStored('ethereum', [10, 'kraken'])
  const before = await points()
  for (const usd of [110, NaN, 90, Infinity, 110, 0, -5, 100]) {
    clock.advance(1_000)
    tick('BTC/USD', usd)
    tick('BTC/USD', usd)
    tick('BTC/USD', usd * 2, clock() - 3_600_000)
    tick('NO/USD', usd)
  }
  clock.advance(1_000)
  tick('ETH/USD', 10.01)
  await soonStored('ethereum', [10.01, 'kraken'])
  expect([await stored('bitcoin'), await crossings(), warnings()]).toEqual([[100, null], 0, ['bitcoin']])
  expect((await points()).filter((usd) => usd > 11)).toEqual(before.filter((usd) => usd > 11))
})

test('a real move of the market is followed again after the provider’s next price, and not before', async () => {
  tick('BTC/USD', 101)
  await soonStored('bitcoin', [101, 'kraken'])
  gecko.coins.set('bitcoin', { id: 'bitcoin', rank: 1, symbol: 'btc', price: () => 90 })
  clock.advance(1_000)
  tick('BTC/USD', 90)
  await soon(() => expect(warnings()).toEqual(['bitcoin']))
  expect(await stored('bitcoin')).toEqual([101, 'kraken'])
  await poll()
  await soonStored('bitcoin', [90, null])
  clock.advance(1_000)
  tick('BTC/USD', 89.9)
  await soonStored('bitcoin', [89.9, 'kraken'])
  expect(warnings()).toEqual(['bitcoin'])
})

test('an exchange that falls silent is said to be once, and the provider’s prices count again', async () => {
  tick('BTC/USD', 101)
  await soonStored('bitcoin', [101, 'kraken'])
  await poll()
  await soonStored('bitcoin', [100, null])
  await soon(() => expect(warnings()).toEqual(['no live prices from Kraken at the moment']))
  tick('BTC/USD', 102)
  await soonStored('bitcoin', [102, 'kraken'])
  expect(logged.filter(({ msg }) => msg === 'live prices come from Kraken')).toHaveLength(2)
})

test('with auto, Coinbase is listened to after Kraken has failed three times', async () => {
  await end()
  opened = []
  await database.pool.query('DELETE FROM owners; DELETE FROM pairs')
  await begin('auto')
  for (let i = 0; i < 3; i++) events.failed('refused')
  await soon(() => expect(opened).toEqual(['kraken', 'coinbase']))
  events.markets(['BTC/USD'])
  await soon(() => expect(watched).toEqual(['BTC/USD']))
  tick('BTC/USD', 101)
  await soonStored('bitcoin', [101, 'coinbase'])
})

test('coins of new widgets are watched without a new connection', async () => {
  gecko.coins.set('solana', { id: 'solana', rank: 9, symbol: 'sol', price: () => 5 })
  clock.advance(25 * 60 * MINUTE)
  await market.jobs.find(({ name }) => name === 'market-coins')!.run(stopping.signal)
  await addPairs(database, [['solana', 'ethereum']])
  clock.advance(MINUTE)
  await soon(() => expect(watched).toEqual(['BTC/USD', 'ETH/USD', 'SOL/USD']))
  expect(opened).toEqual(['kraken'])
})
