import { type Logger, pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { ProviderError } from '../../server/adapters/market-data/provider'
import { loadEnv } from '../../server/env'
import { callBudget } from '../../server/services/market/budget'
import { createMarket } from '../../server/services/market/create'
import type { RunningMarket } from '../../server/services/market/market'
import { soonFetcher } from '../../server/services/market/soon'
import { coin } from '../../src/contract/market'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { coinGeckoStandIn, FAULTS, type CoinGeckoStandIn, wave } from './support/coingecko-stand-in'
import { testClock, type TestClock } from './support/test-app'
import { freshDatabase, type TestDatabase } from './support/test-database'

let database: TestDatabase
let gecko: CoinGeckoStandIn
let clock: TestClock
let markets: RunningMarket[]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
  gecko = await coinGeckoStandIn(clock)
  markets = []
  await database.pool.query('TRUNCATE owners, market_coins, market_prices, market_points, market_fetches, market_calls CASCADE') // prettier-ignore
})
afterEach(async () => {
  for (const market of markets) await market.stop()
  await gecko.close()
})

async function start(more: Record<string, string> = {}, logger?: Logger): Promise<RunningMarket> {
  const env = loadEnv({ MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: gecko.url, PRICE_POLL_SECONDS: '60', ...more })
  const market = await createMarket({ env, database, clock, logger })
  markets.push(market)
  await market.start()
  return market
}
const run = (market: RunningMarket, name: string) => market.jobs.find((job) => job.name === name)!.run(new AbortController().signal) // prettier-ignore
const polls = () => gecko.seen.filter((path) => path.startsWith('/simple/price'))
const now = (id: string) => gecko.coins.get(id)!.price!(clock())!

async function addWidget(coinA: string, coinB: string): Promise<void> {
  await database.pool.query(
    `WITH owner AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', $1 || $2, now()) RETURNING id),
     pair AS (
       INSERT INTO pairs (coin_a_id, coin_b_id) VALUES ($1, $2)
       ON CONFLICT ON CONSTRAINT pairs_coins DO UPDATE SET coin_a_id = excluded.coin_a_id RETURNING id
     )
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, notifications_enabled, is_active, created_at)
     SELECT owner.id, 0, $1, $2, pair.id, false, true, now() FROM owner, pair`,
    [coinA, coinB],
  )
}

describe('price poll', () => {
  test('one price poll asks for the coins of widgets and those requested within a day, and for no others', async () => {
    const market = await start()
    await run(market, 'market-prices')
    expect(polls()).toEqual([])
    await addWidget('bitcoin', 'pepe')
    await run(market, 'market-prices')
    expect(polls()).toHaveLength(1)
    expect(polls()[0]).toMatch(/ids=(bitcoin,pepe|pepe,bitcoin)&/)
    await market.prices(['solana'])
    clock.advance(MINUTE)
    await run(market, 'market-prices')
    expect(polls().at(-1)).toContain('solana')
    clock.advance(25 * HOUR)
    await run(market, 'market-prices')
    expect(polls().at(-1)).not.toContain('solana')
    expect(polls().at(-1)).toContain('bitcoin')
  })

  test('a price poll in several requests stores the prices that came, whichever of the requests fails', async () => {
    for (let i = 0; i < 300; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 100 + i, price: wave(i + 1) })
    const market = await start()
    const ids = [...gecko.coins.keys()]
    await market.prices(ids)
    /** How many coins a poll brings prices for, where the request that fails is this one. */
    const pollFailing = async (which: number): Promise<number> => {
      clock.advance(MINUTE)
      const asked = polls().length
      if (which === 0) gecko.fail('500')
      else void gecko.arrived(gecko.seen.length + which).then(() => gecko.fail('500'))
      await run(market, 'market-prices')
      expect(polls().length - asked).toBe(2)
      return [...(await market.prices(ids))].filter(([id, { usd }]) => usd === now(id)).length
    }
    expect(await pollFailing(0)).toBe(54)
    expect(await pollFailing(1)).toBe(250)
    expect(await pollFailing(9)).toBe(304)
  })

  test('a price keeps the time that CoinGecko gave while CoinGecko fails, and is replaced once CoinGecko recovers', async () => {
    const market = await start()
    await addWidget('bitcoin', 'pepe')
    await run(market, 'market-prices')
    const first = (await market.prices(['bitcoin'])).get('bitcoin')!
    expect(first).toEqual({ usd: now('bitcoin'), at: Math.floor(clock() / 1000) * 1000 })
    gecko.fail('500', 1000)
    clock.advance(3 * HOUR)
    await run(market, 'market-prices')
    expect((await market.prices(['bitcoin'])).get('bitcoin')).toEqual(first)
    gecko.heal()
    clock.advance(MINUTE)
    await run(market, 'market-prices')
    expect((await market.prices(['bitcoin'])).get('bitcoin')).toEqual({ usd: now('bitcoin'), at: Math.floor(clock() / 1000) * 1000 }) // prettier-ignore
  })

  test.each(FAULTS.filter((fault) => fault !== 'hang' && fault !== 'half-a-body'))(
    'a CoinGecko fault %s removes no stored price and no listed coin',
    async (fault) => {
      const market = await start()
      await addWidget('bitcoin', 'pepe')
      await run(market, 'market-prices')
      const known = [await market.coins(), await market.prices(['bitcoin', 'pepe', 'solana'])]
      clock.advance(DAY + HOUR)
      for (const name of ['market-prices', 'market-coins', 'market-fold']) {
        gecko.fail(fault, 50)
        await run(market, name)
      }
      expect([await market.coins(), await market.prices(['bitcoin', 'pepe', 'solana'])]).toEqual(known)
    },
  )

  test('a coin that is missing from a price poll keeps its last price, while other coins get new ones', async () => {
    const market = await start()
    await addWidget('bitcoin', 'pepe')
    await run(market, 'market-prices')
    const pepe = (await market.prices(['pepe'])).get('pepe')
    gecko.coins.set('pepe', { id: 'pepe', rank: 4, price: null })
    clock.advance(MINUTE)
    await run(market, 'market-prices')
    const prices = await market.prices(['pepe', 'bitcoin'])
    expect(prices.get('pepe')).toEqual(pepe)
    expect(prices.get('bitcoin')!.usd).toBe(now('bitcoin'))
  })

  test('prices stored while the server’s clock was two hours ahead are replaced by the next poll after its correction', async () => {
    const market = await start()
    await addWidget('bitcoin', 'pepe')
    clock.advance(2 * HOUR)
    await run(market, 'market-prices')
    clock.advance(-2 * HOUR)
    await run(market, 'market-prices')
    expect((await market.prices(['bitcoin'])).get('bitcoin')!.usd).toBe(now('bitcoin'))
  })

  test('the price of a newly requested coin is fetched at once, in no more than one request per coin', async () => {
    const market = await start()
    clock.advance(10 * MINUTE)
    const [, two] = await Promise.all([market.prices(['solana', 'no-such-coin']), market.prices(['pepe', 'solana'])])
    // On a busy machine the server answers with the stored price after two seconds, while the fetch goes on.
    await vi.waitFor(async () => expect((await market.prices(['solana'])).get('solana')!.usd).toBe(now('solana')), {
      timeout: 30_000,
      interval: 50,
    })
    expect([...two.keys()]).toEqual(['pepe', 'solana'])
    const asked = () => polls().flatMap((path) => new URLSearchParams(path.split('?')[1]).get('ids')!.split(','))
    expect(asked().toSorted()).toEqual(['pepe', 'solana'])
    await market.prices(['pepe', 'solana'])
    expect(asked()).toHaveLength(2)
    expect([...(await market.prices(['no-such-coin'])).keys()]).toEqual([])
  })
})

describe('coin list', () => {
  test('the coin list is fetched at start and once a day, and is served after a restart while CoinGecko fails', async () => {
    const market = await start()
    expect((await market.coins()).map(({ id }) => id)).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe'])
    for (let hours = 0; hours < 48; hours++) {
      await run(market, 'market-coins')
      clock.advance(HOUR)
    }
    expect(gecko.seen.filter((path) => path.startsWith('/coins/markets'))).toHaveLength(2)
    gecko.fail('500', 1000)
    expect((await (await start()).coins()).length).toBe(4)
  })

  test('coins and history get 503 until the first coin list has been fetched', async () => {
    gecko.fail('html', 1)
    const market = await start()
    await expect(market.coins()).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
    await expect(market.history('bitcoin' as CoinId, '1d')).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
    await expect(market.knows('bitcoin' as CoinId)).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
    expect(await market.prices(['bitcoin'])).toEqual(new Map())
    clock.advance(31_000)
    await run(market, 'market-coins')
    expect(await market.coins()).toHaveLength(4)
  })

  test('the coin list ends with the five hundredth coin by rank', async () => {
    for (let i = 0; i < 600; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 100 + i, price: () => 1 })
    const coins = await (await start()).coins()
    expect(coins).toHaveLength(500)
    expect(coins.at(-1)!.market_cap_rank).toBe(100 + 495)
  })

  test('a coin that left the coin list is still known and still has a price', async () => {
    for (let i = 0; i < 20; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 10 + i, price: () => 1 })
    const market = await start()
    gecko.coins.delete('pepe')
    clock.advance(DAY + HOUR)
    await run(market, 'market-coins')
    expect((await market.coins()).some(({ id }) => id === 'pepe')).toBe(false)
    expect(await market.knows('pepe' as CoinId)).toBe(true)
    expect((await market.prices(['pepe'])).get('pepe')!.usd).toBeGreaterThan(0)
  })

  test('a new coin list without most of the known coins removes none of them', async () => {
    for (let i = 0; i < 20; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 10 + i, price: () => 1 })
    const market = await start()
    for (let i = 0; i < 20; i++) gecko.coins.delete(`c${i}`)
    clock.advance(DAY + HOUR)
    await run(market, 'market-coins')
    expect(await market.coins()).toHaveLength(24)
  })
})

describe('odd coins', () => {
  test('a coin whose id no client can read costs nobody the coin list, is logged once, and its price breaks no poll', async () => {
    const logged: { coin?: string; msg: string }[] = []
    const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) })
    gecko.coins.set('bad id/ü', { id: 'bad id/ü', rank: 5, price: () => 1, symbol: '\u0000' })
    gecko.coins.set('a,b', { id: 'a,b', rank: 6, price: () => 1 })
    // As an earlier version of this server stored it.
    await database.pool.query(
      `INSERT INTO market_coins (source, id, symbol, name, market_cap_rank, listed_at) VALUES ('coingecko', 'old id', 'o', 'Old', 7, 0)`,
    )
    const market = await start({}, logger)
    expect(z.array(coin).parse(await market.coins()).map(({ id }) => id)).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe']) // prettier-ignore
    clock.advance(DAY + HOUR)
    await run(market, 'market-coins')
    const odd = logged.filter(({ msg }) => msg === 'the provider names an odd coin')
    expect(odd.map(({ coin }) => coin)).toEqual(['bad id/ü', 'a,b'])
    await addWidget('bitcoin', 'pepe')
    await run(market, 'market-prices')
    expect((await market.prices(['bitcoin', 'a,b'])).get('bitcoin')!.usd).toBe(now('bitcoin'))
  })
})

describe('price source', () => {
  test('MARKET_DATA=auto takes CoinGecko if it answers, else simulated prices, and keeps the histories of both apart', async () => {
    const real = await start({ MARKET_DATA: 'auto' })
    expect([real.source, real.attribution.text]).toEqual(['coingecko', 'Data provided by CoinGecko'])
    await real.history('bitcoin' as CoinId, '1y')
    gecko.fail('500', 1000)
    const simulated = await start({ MARKET_DATA: 'auto' })
    expect([simulated.source, simulated.attribution]).toEqual(['simulated', { text: 'Simulated prices', url: null }])
    expect((await simulated.coins()).length).toBeGreaterThan(50)
    const theirs = (await simulated.history('bitcoin' as CoinId, '1y')).answer
    const ours = (await real.history('bitcoin' as CoinId, '1y')).answer
    expect([theirs.source, ours.source]).toEqual(['simulated', 'coingecko'])
    expect(theirs.data.length).toBeGreaterThan(390)
    expect(ours.data.length).toBeLessThan(370)
    const theirPrices = new Map(theirs.data)
    expect(ours.data.filter(([time, usd]) => theirPrices.get(time) === usd)).toEqual([])
  })

  test('simulated history ends with the present price and is the same after a restart, without any CoinGecko request', async () => {
    const one = await start({ MARKET_DATA: 'simulated' })
    await addWidget('bitcoin', 'ethereum')
    await run(one, 'market-prices')
    const spot = (await one.prices(['bitcoin'])).get('bitcoin')!
    expect(spot.at).toBe(clock())
    const before = await one.history('bitcoin' as CoinId, '7d')
    expect(before.answer.data.at(-1)![1]).toBe(spot.usd)
    expect(before.answer.data.length).toBeGreaterThan(380)
    const other = await start({ MARKET_DATA: 'simulated' })
    expect(await other.history('bitcoin' as CoinId, '7d')).toEqual(before)
    expect(gecko.seen).toEqual([])
  })
})

describe('call budget', () => {
  test('four budgets in one database together spend exactly the 100 calls of a month; the next month allows more', async () => {
    const budgets = Array.from({ length: 4 }, () => callBudget(database.pool, 100, clock))
    const spent = await Promise.allSettled(Array.from({ length: 160 }, (_, i) => budgets[i % 4]!.spend('prices')))
    expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    await expect(budgets[0]!.spend('ping')).rejects.toMatchObject({ failure: 'budget' })
    clock.advance(31 * DAY)
    await expect(callBudget(database.pool, 100, clock).spend('prices')).resolves.toBeUndefined()
  })

  test('calls for history and for prices out of turn leave the price poll its share of the month’s calls', async () => {
    const budget = callBudget(database.pool, 100, clock)
    const spent = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => budget.spend(i % 2 ? 'history' : 'soon')),
    )
    const refused = spent.filter((result) => result.status === 'rejected')
    // 16.5 of 31 days are left.
    expect(spent.length - refused.length).toBe(62)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ProviderError)
    await expect(budget.spend('prices')).resolves.toBeUndefined()
  })

  test('a month of price polls and constant history requests stays within the monthly calls and ends with a recent price', async () => {
    const market = await start({ COINGECKO_MONTHLY_CALLS: '120', PRICE_POLL_SECONDS: '' })
    await addWidget('bitcoin', 'ethereum')
    clock.advance(-14 * DAY)
    const counted = gecko.seen.length
    const coins = ['bitcoin', 'ethereum', 'solana', 'pepe'] as CoinId[]
    for (let step = 0; step < 120; step++) {
      clock.advance(6 * HOUR)
      await run(market, 'market-coins')
      await run(market, 'market-prices')
      await market.history(coins[step % 4]!, '1m').catch(() => undefined)
    }
    expect(gecko.seen.length - counted).toBeLessThanOrEqual(120)
    expect(polls().length).toBeGreaterThan(40)
    const last = (await market.prices(['bitcoin'])).get('bitcoin')!
    expect(clock() - last.at).toBeLessThan(2 * DAY)
  })

  test('after a 429 to one process, another process sends CoinGecko no price or history request until the pause is over', async () => {
    const [one, two] = [await start(), await start()]
    await addWidget('bitcoin', 'ethereum')
    gecko.fail('429')
    await run(one, 'market-prices')
    const asked = gecko.seen.length
    await run(two, 'market-prices')
    await two.history('bitcoin' as CoinId, '1y').catch(() => undefined)
    expect(gecko.seen).toHaveLength(asked)
    clock.advance(61_000)
    await run(two, 'market-prices')
    expect(gecko.seen).toHaveLength(asked + 1)
  })

  test('of two rate limit pauses, the longer one holds, whichever is set first', async () => {
    for (const [first, second] of [[60_000, 2_000], [2_000, 60_000]] as const) {
      const budget = callBudget(database.pool, 100, clock)
      await budget.pause(first)
      await budget.pause(second)
      clock.advance(59_000)
      await expect(budget.spend('prices')).rejects.toMatchObject({ failure: 'rate-limited', retryAfter: 1_000 })
      clock.advance(1_000)
      await expect(budget.spend('prices')).resolves.toBeUndefined()
    } // prettier-ignore
  })
})

describe('price fetches out of turn', () => {
  test('a caller of a price fetch out of turn gives up on a provider that hangs', async () => {
    let release = () => {}
    const soon = soonFetcher(() => new Promise((resolve) => (release = () => resolve(false))), clock)
    await expect(soon.ask(['a'])).resolves.toBeUndefined()
    release()
    await soon.settled()
  })

  test('simultaneous price fetches out of turn share one request, and no coin is requested twice', async () => {
    const asked: string[][] = []
    const soon = soonFetcher(async (ids) => asked.push([...ids]) > 0, clock)
    await Promise.all([soon.ask(['a', 'b']), soon.ask(['b', 'c'])])
    await soon.ask(['c'])
    expect(asked).toEqual([['a', 'b', 'c']])
    await soon.settled()
  })

  test('coins whose price fetch out of turn failed are not requested again at once', async () => {
    const asked: string[][] = []
    const soon = soonFetcher(async (ids) => {
      asked.push([...ids])
      return false
    }, clock)
    await soon.ask(['a', 'b'])
    await soon.ask(['a', 'b'])
    expect(asked).toEqual([['a', 'b']])
    await soon.settled()
  })
})
