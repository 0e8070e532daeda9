/** @module-tag both-engines */
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { callBudget } from '../../server/services/market/prices/call-budget'
import { coin } from '../../src/contract/market'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { FAULTS, wave } from './support/coingecko-stand-in'
import { clock, database, gecko, polls, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'

useMarketScene()

const now = (id: string) => gecko.coins.get(id)!.price!(clock())!

const addWidget = (coinA: string, coinB: string) => addPairs(database, [[coinA, coinB]])

test('one price poll asks for the coins of widgets and those requested within a day, and for no others', async () => {
  const market = await startMarket()
  await runJob(market, 'market-prices')
  expect(polls()).toEqual([])
  await addWidget('bitcoin', 'pepe')
  await runJob(market, 'market-prices')
  expect(polls()).toHaveLength(1)
  expect(polls()[0]).toMatch(/ids=(bitcoin,pepe|pepe,bitcoin)&/)
  await market.prices(['solana'])
  clock.advance(MINUTE)
  await runJob(market, 'market-prices')
  expect(polls().at(-1)).toContain('solana')
  clock.advance(25 * HOUR)
  await runJob(market, 'market-prices')
  expect(polls().at(-1)).not.toContain('solana')
  expect(polls().at(-1)).toContain('bitcoin')
})

test('a price poll in several requests stores the prices that came, whichever of the requests fails', async () => {
  for (let i = 0; i < 300; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 100 + i, price: wave(i + 1) })
  const market = await startMarket()
  const ids = [...gecko.coins.keys()]
  await addPairs(
    database,
    ids.flatMap((id, i) => (i % 2 === 0 ? [[id, ids[i + 1]!] as const] : [])),
  )
  /** How many coins a poll brings prices for, where the request that fails is this one. */
  const pollFailing = async (which: number): Promise<number> => {
    clock.advance(MINUTE)
    const asked = polls().length
    if (which === 0) gecko.fail('500')
    else void gecko.arrived(gecko.seen.length + which).then(() => gecko.fail('500'))
    await runJob(market, 'market-prices')
    expect(polls().length - asked).toBe(2)
    return [...(await market.prices(ids))].filter(([id, { usd }]) => usd === now(id)).length
  }
  expect(await pollFailing(0)).toBe(54)
  expect(await pollFailing(1)).toBe(250)
  expect(await pollFailing(9)).toBe(304)
})

test('a price keeps the time that CoinGecko gave while CoinGecko fails, and is replaced once CoinGecko recovers', async () => {
  const market = await startMarket()
  await addWidget('bitcoin', 'pepe')
  await runJob(market, 'market-prices')
  const first = (await market.prices(['bitcoin'])).get('bitcoin')!
  expect(first).toEqual({
    usd: now('bitcoin'),
    providerTime: Math.floor(clock() / 1000) * 1000,
    fetchedAt: clock(),
  })
  gecko.fail('500', 1000)
  clock.advance(3 * HOUR)
  await runJob(market, 'market-prices')
  expect((await market.prices(['bitcoin'])).get('bitcoin')).toEqual(first)
  gecko.heal()
  clock.advance(MINUTE)
  await runJob(market, 'market-prices')
  expect((await market.prices(['bitcoin'])).get('bitcoin')).toEqual({
    usd: now('bitcoin'),
    providerTime: Math.floor(clock() / 1000) * 1000,
    fetchedAt: clock(),
  })
})

test.each(FAULTS.filter((fault) => fault !== 'hang' && fault !== 'half-a-body'))(
  'a CoinGecko fault %s removes no stored price and no listed coin',
  async (fault) => {
    const market = await startMarket()
    await addWidget('bitcoin', 'pepe')
    await runJob(market, 'market-prices')
    const known = [await market.coins(), await market.prices(['bitcoin', 'pepe', 'solana'])]
    clock.advance(DAY + HOUR)
    for (const name of ['market-prices', 'market-coins', 'market-fold']) {
      gecko.fail(fault, 50)
      await runJob(market, name)
    }
    expect([await market.coins(), await market.prices(['bitcoin', 'pepe', 'solana'])]).toEqual(known)
  },
)

test('a coin that is missing from a price poll keeps its last price, while other coins get new ones', async () => {
  const market = await startMarket()
  await addWidget('bitcoin', 'pepe')
  await runJob(market, 'market-prices')
  const pepe = (await market.prices(['pepe'])).get('pepe')
  gecko.coins.set('pepe', { id: 'pepe', rank: 4, price: null })
  clock.advance(MINUTE)
  await runJob(market, 'market-prices')
  const prices = await market.prices(['pepe', 'bitcoin'])
  expect(prices.get('pepe')).toEqual(pepe)
  expect(prices.get('bitcoin')!.usd).toBe(now('bitcoin'))
})

test('prices stored while the server’s clock was two hours ahead are replaced by the next poll after its correction', async () => {
  const market = await startMarket()
  await addWidget('bitcoin', 'pepe')
  clock.advance(2 * HOUR)
  await runJob(market, 'market-prices')
  clock.advance(-2 * HOUR)
  await runJob(market, 'market-prices')
  expect((await market.prices(['bitcoin'])).get('bitcoin')!.usd).toBe(now('bitcoin'))
})

test('the price of a newly requested coin is fetched at once, in no more than one request per coin', async () => {
  const market = await startMarket()
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

test('the coin list is fetched at start and once in every UTC day, and is served after a restart while CoinGecko fails', async () => {
  const market = await startMarket()
  expect((await market.coins()).map(({ id }) => id)).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe'])
  for (let hours = 0; hours < 48; hours++) {
    await runJob(market, 'market-coins')
    clock.advance(HOUR)
  }
  // The start at noon, and two midnights; questions for categories apart.
  const lists = gecko.seen.filter((path) => path.startsWith('/coins/markets') && !path.includes('category='))
  expect(lists).toHaveLength(3)
  gecko.fail('500', 1000)
  expect((await (await startMarket()).coins()).length).toBe(4)
})

test('coins and history get 503 until the first coin list has been fetched', async () => {
  gecko.fail('html', 1)
  const market = await startMarket()
  await expect(market.coins()).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  await expect(market.history('bitcoin' as CoinId, '1d')).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  await expect(market.knows('bitcoin' as CoinId)).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  expect(await market.prices(['bitcoin'])).toEqual(new Map())
  clock.advance(31_000)
  await runJob(market, 'market-coins')
  expect(await market.coins()).toHaveLength(4)
})

test('the coin list ends with the five hundredth coin by rank', async () => {
  for (let i = 0; i < 600; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 100 + i, price: () => 1 })
  const coins = await (await startMarket()).coins()
  expect(coins).toHaveLength(500)
  expect(coins.at(-1)!.market_cap_rank).toBe(100 + 495)
})

test('a coin that left the coin list is still known and still has a price', async () => {
  for (let i = 0; i < 20; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 10 + i, price: () => 1 })
  const market = await startMarket()
  gecko.coins.delete('pepe')
  clock.advance(DAY + HOUR)
  await runJob(market, 'market-coins')
  expect((await market.coins()).some(({ id }) => id === 'pepe')).toBe(false)
  expect(await market.knows('pepe' as CoinId)).toBe(true)
  expect((await market.prices(['pepe'])).get('pepe')!.usd).toBeGreaterThan(0)
})

test('a coin that was listed while the clock was a day ahead, and is listed no more, does not have the list fetched at every look', async () => {
  const market = await startMarket()
  clock.advance(2 * DAY)
  await runJob(market, 'market-coins')
  clock.advance(-2 * DAY)
  gecko.coins.delete('pepe')
  const before = gecko.seen.length
  for (let look = 0; look < 5; look++) {
    await runJob(market, 'market-coins')
    clock.advance(MINUTE)
  }
  expect(gecko.seen.length - before).toBe(1)
})

test('a new coin list without most of the known coins removes none of the five hundred, and adds none to them', async () => {
  for (let i = 0; i < 496; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 10 + i, price: () => 1 })
  const market = await startMarket()
  const before = (await market.coins()).map(({ id }) => id)
  for (let i = 0; i < 496; i++) gecko.coins.delete(`c${i}`)
  for (let i = 0; i < 9; i++) gecko.coins.set(`d${i}`, { id: `d${i}`, rank: 600 + i, price: () => 1 })
  clock.advance(DAY + HOUR)
  await runJob(market, 'market-coins')
  expect(before).toHaveLength(500)
  expect((await market.coins()).map(({ id }) => id)).toEqual(before)
})

test('a coin list without ranks or images leaves those that are known', async () => {
  const market = await startMarket()
  const before = await market.coins()
  for (const coin of gecko.coins.values()) gecko.coins.set(coin.id, { ...coin, rank: null })
  clock.advance(DAY + HOUR)
  await runJob(market, 'market-coins')
  for (const [index, id] of ['bitcoin', 'ethereum', 'solana', 'pepe'].entries())
    gecko.coins.set(id, { ...gecko.coins.get(id)!, rank: index + 1, image: '' })
  clock.advance(DAY + HOUR)
  await runJob(market, 'market-coins')
  const ofList = ({ id, image, market_cap_rank }: (typeof before)[number]) => [id, image, market_cap_rank]
  expect((await market.coins()).map(ofList)).toEqual(before.map(ofList))
})

test('a list of coins without ranks, asked for at every chance, costs the month a fiftieth of its calls', async () => {
  for (let i = 0; i < 2_000; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: null, price: () => 1 })
  for (const id of ['bitcoin', 'ethereum', 'solana', 'pepe']) gecko.coins.delete(id)
  clock.advance(-14 * DAY)
  const market = await startMarket({ COINGECKO_MONTHLY_CALLS: '2000' })
  for (let look = 0; look < 10 * 30; look++) {
    await runJob(market, 'market-coins')
    clock.advance(2.4 * HOUR)
  }
  expect(gecko.seen.length).toBeGreaterThan(20)
  expect(gecko.seen.length).toBeLessThanOrEqual(40)
})

test('a coin whose id no client can read costs nobody the coin list, is logged once, and its price breaks no poll', async () => {
  const logged: { coin?: string; msg: string }[] = []
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) })
  gecko.coins.set('bad id/ü', { id: 'bad id/ü', rank: 5, price: () => 1, symbol: '\u0000' })
  gecko.coins.set('a,b', { id: 'a,b', rank: 6, price: () => 1 })
  // As an earlier version of this server stored it.
  await database.pool.query(
    `INSERT INTO market_coins (source, id, symbol, name, market_cap_rank, listed_at) VALUES ('coingecko', 'old id', 'o', 'Old', 7, 0)`,
  )
  const market = await startMarket({}, logger)
  expect(
    z
      .array(coin)
      .parse(await market.coins())
      .map(({ id }) => id),
  ).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe'])
  clock.advance(DAY + HOUR)
  await runJob(market, 'market-coins')
  const odd = logged.filter(({ msg }) => msg === 'the provider names an odd coin')
  expect(odd.map(({ coin }) => coin)).toEqual(['bad id/ü', 'a,b'])
  await addWidget('bitcoin', 'pepe')
  await runJob(market, 'market-prices')
  expect((await market.prices(['bitcoin', 'a,b'])).get('bitcoin')!.usd).toBe(now('bitcoin'))
})

test('MARKET_DATA=auto takes simulated prices in an empty database if CoinGecko does not answer, and keeps the histories of both apart', async () => {
  gecko.fail('500', 1000)
  const simulated = await startMarket({ MARKET_DATA: 'auto' })
  gecko.heal()
  const real = await startMarket({ MARKET_DATA: 'auto' })
  expect([real.source, real.attribution.text]).toEqual(['coingecko', 'Data provided by CoinGecko'])
  await real.history('bitcoin' as CoinId, '1y')
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

test('MARKET_DATA=auto stays with CoinGecko if its prices are stored, however CoinGecko fails', async () => {
  await startMarket({ MARKET_DATA: 'auto' })
  gecko.fail('500', 1000)
  const again = await startMarket({ MARKET_DATA: 'auto' })
  expect([again.source, (await again.coins()).length]).toEqual(['coingecko', 4])
})

test('MARKET_DATA=auto takes CoinGecko if a pause that CoinGecko asked for is not over', async () => {
  await callBudget(database.pool, 10_000, clock).pause(60_000)
  expect((await startMarket({ MARKET_DATA: 'auto' })).source).toBe('coingecko')
  await database.pool.query('TRUNCATE market_calls')
  gecko.fail('429')
  expect((await startMarket({ MARKET_DATA: 'auto' })).source).toBe('coingecko')
})

test('MARKET_DATA=auto takes CoinGecko if the month’s calls are used up', async () => {
  await callBudget(database.pool, 1, clock).spend('prices', 'polling')
  const market = await startMarket({ MARKET_DATA: 'auto', COINGECKO_MONTHLY_CALLS: '1' })
  expect([market.source, gecko.seen]).toEqual(['coingecko', []])
})

test('simulated history ends with the present price and is the same after a restart, without any CoinGecko request', async () => {
  const one = await startMarket({ MARKET_DATA: 'simulated' })
  await addWidget('bitcoin', 'ethereum')
  await runJob(one, 'market-prices')
  const spot = (await one.prices(['bitcoin'])).get('bitcoin')!
  expect(spot.providerTime).toBe(clock())
  const before = await one.history('bitcoin' as CoinId, '7d')
  expect(before.answer.data.at(-1)![1]).toBe(spot.usd)
  expect(before.answer.data.length).toBeGreaterThan(380)
  const other = await startMarket({ MARKET_DATA: 'simulated' })
  expect(await other.history('bitcoin' as CoinId, '7d')).toEqual(before)
  expect(gecko.seen).toEqual([])
})
