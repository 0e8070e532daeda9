import { beforeEach, expect, test, vi } from 'vitest'
import type { RunningMarket } from '../../server/services/market/market'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { wave } from './support/coingecko-stand-in'
import { clock, database, gecko, polls, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'

/* Strangers ask for prices and history without a widget, against the pace of prices and the month's calls. */

const COINS = Array.from({ length: 496 }, (_, i) => `c${i}`)
const STRANGER = '203.0.113.7'
const FRIEND = '198.51.100.4'
let market: RunningMarket

/** A coin that came to be traded an hour ago: its history is short to store, whatever the period. */
function young(id: string, i: number): void {
  const since = clock() - HOUR
  const price = wave(i + 1)
  gecko.coins.set(id, { id, rank: 10 + i, price: (time) => (time < since ? null : price(time)) })
}

useMarketScene(() => COINS.forEach(young))
beforeEach(async () => {
  market = await start()
  await addPairs(database, [['bitcoin', 'ethereum']])
})

const start = (more: Record<string, string> = {}) => startMarket({ PRICE_POLL_SECONDS: '', ...more })
const run = (name: string) => runJob(market, name)
const charts = () => gecko.seen.filter((path) => path.includes('market_chart'))
const idsOf = (path: string | undefined) => new URLSearchParams(path?.split('?')[1]).get('ids')?.split(',') ?? []

/** How often each coin is asked for in so many hours of the job's looks, and how many calls that takes. */
async function polledFor(
  hours: number,
  every = 75_000,
): Promise<{ times(coin: string): number; readonly calls: number }> {
  const before = gecko.seen.length
  for (let now = 0; now < hours * HOUR; now += every) {
    clock.advance(every)
    await run('market-prices')
  }
  const made = gecko.seen.slice(before)
  return { times: (coin) => made.filter((path) => idsOf(path).includes(coin)).length, calls: made.length }
}

const refused = async (id: string, ip: string): Promise<boolean> =>
  market.history(id as CoinId, '1y', ip).then(
    ({ complete }) => !complete,
    (error: { code?: string }) => {
      expect(error.code).toBe('MARKET_DATA_UNAVAILABLE')
      return true
    },
  )

test('one request for all five hundred coins neither slows the held coins’ prices nor takes another call', async () => {
  const before = await polledFor(1)
  expect(before.times('bitcoin')).toBeGreaterThan(10)
  await market.prices([...COINS, 'bitcoin'], STRANGER)
  const soon = polls().length - before.times('bitcoin')
  expect(soon).toBeLessThanOrEqual(1)
  const after = await polledFor(1)
  expect(Math.abs(after.times('bitcoin') - before.times('bitcoin'))).toBeLessThanOrEqual(1)
  expect(after.calls).toBe(after.times('bitcoin'))
  expect(idsOf(polls().at(-1))).toEqual(expect.arrayContaining(['bitcoin', 'ethereum']))
})

test('a stranger who asks for all coins again and again costs the database no statement any more, and others are looked after', async () => {
  const ids = [...COINS, 'bitcoin']
  for (let n = 0; n < 12; n++) await market.prices(ids, STRANGER)
  const sent = vi.spyOn(database.pool, 'query')
  for (let n = 0; n < 50; n++) await market.prices(ids.slice(n), STRANGER)
  expect(sent).not.toHaveBeenCalled()
  sent.mockRestore()
  await run('market-prices')
  await market.prices(['c300'], FRIEND)
  clock.advance(20 * MINUTE)
  await run('market-prices')
  expect(idsOf(polls().at(-1))).toContain('c300')
})

test('an address has sixty coins a day polled that no widget has, one /64 of IPv6 no more than that, and another address its own', async () => {
  await run('market-prices')
  await market.prices(COINS, '2001:db8::1')
  await market.prices(COINS.slice(100), '2001:db8::2')
  clock.advance(20 * MINUTE)
  await run('market-prices')
  expect(idsOf(polls().at(-1))).toHaveLength(62)
  await market.prices(COINS.slice(300), FRIEND)
  clock.advance(20 * MINUTE)
  await run('market-prices')
  expect(idsOf(polls().at(-1))).toHaveLength(122)
})

test('many networks together have 250 coins an hour polled that no widget has, in requests that are made anyway, and one more network one', async () => {
  await run('market-prices')
  for (let i = 0; i < 10; i++) await market.prices(COINS.slice(i * 40), `203.0.${i}.1`)
  const asked = () => database.pool.query(`SELECT count(*)::int AS n FROM market_coins WHERE asked_at IS NOT NULL`)
  expect((await asked()).rows).toEqual([{ n: 250 }])
  await market.prices(['c494', 'c495'], FRIEND)
  expect((await asked()).rows).toEqual([{ n: 251 }])
  clock.advance(20 * MINUTE)
  const before = gecko.seen.length
  await run('market-prices')
  expect(gecko.seen.length - before).toBe(1)
  expect(idsOf(polls().at(-1))).toHaveLength(250)
})

test(
  'guests who come to hold all five hundred coins slow the prices of coins held before by a fifth at most',
  { tags: ['full'] },
  async () => {
    const before = await polledFor(2)
    await addPairs(
      database,
      COINS.flatMap((id, i) => (i % 2 === 0 ? [[id, COINS[i + 1]!] as const] : [])),
    )
    const after = await polledFor(2)
    expect(after.times('bitcoin')).toBeGreaterThanOrEqual(before.times('bitcoin') * 0.75)
    expect(after.calls).toBeLessThanOrEqual(before.calls * 1.3)
    expect(after.times(COINS.at(-1)!)).toBeGreaterThan(before.times('bitcoin') / 6)
  },
)

test('a coin that has just come to be held is priced at once even after strangers used up all they may ask for', async () => {
  for (let i = 0; i < 10; i++) await market.prices(COINS.slice(0, 400), `203.0.113.${i}`)
  clock.advance(20 * MINUTE)
  await market.prices(['c450'], STRANGER)
  expect(polls()).toEqual([])
  await addPairs(database, [['c450', 'bitcoin']])
  clock.advance(MINUTE)
  const price = gecko.coins.get('c450')!.price!(clock())
  await vi.waitFor(async () => expect((await market.prices(['c450'], FRIEND)).get('c450')!.usd).toBe(price), {
    timeout: 30_000,
    interval: 50,
  })
})

test('an address has history of sixty coins fetched a day, is answered from what is stored after that, and another has its own', async () => {
  const asked = async (from: number, to: number, ip: string) => {
    let no = 0
    for (const id of COINS.slice(from, to)) if (await refused(id, ip)) no++
    return no
  }
  expect(await asked(0, 80, STRANGER)).toBe(20)
  expect(charts()).toHaveLength(60)
  expect(await asked(0, 60, STRANGER)).toBe(0)
  // The refusal is the address's own: it keeps nobody else from the same coins.
  expect(await asked(60, 80, FRIEND)).toBe(0)
  clock.advance(DAY)
  expect(await asked(80, 81, STRANGER)).toBe(0)
})

test('strangers with many addresses use up no more than their part of the calls, and leave pace and held coins’ charts alone', async () => {
  market = await start({ COINGECKO_MONTHLY_CALLS: '2000' })
  const before = await polledFor(3, 5 * MINUTE)
  expect(before.times('bitcoin')).toBeGreaterThan(5)
  for (const [i, id] of COINS.slice(0, 60).entries()) {
    for (const period of ['1d', '1m', '1y'] as const) {
      await market.history(id as CoinId, period, `203.0.${i >> 4}.1`).catch(() => undefined)
    }
  }
  // 10 % of 2,000, of which 57 % may have been made by now.
  expect(charts().length).toBeLessThan(120)
  expect(charts().length).toBeGreaterThan(100)
  expect(await refused('c495', FRIEND)).toBe(true)
  expect(await refused('bitcoin', FRIEND)).toBe(false)
  const after = await polledFor(3, 5 * MINUTE)
  expect(Math.abs(after.times('bitcoin') - before.times('bitcoin'))).toBeLessThanOrEqual(1)
  // Once a widget has the coin, its history comes.
  await addPairs(database, [['c495', 'bitcoin']])
  expect(await refused('c495', FRIEND)).toBe(false)
})
