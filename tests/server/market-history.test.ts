import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import type { MarketProvider } from '../../server/adapters/market-data/provider'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { chargeNobody } from '../../server/services/address-limits'
import type { KnownCoin } from '../../server/services/market/coin-list'
import type { RunningMarket } from '../../server/services/market/market'
import { historyStore } from '../../server/services/market/history/history-store'
import { wantedLevels } from '../../server/services/market/history/plan'
import { BUCKET_MS, DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { type Period, PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { clock, database, gecko, makeMarket, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'
import { trustClock } from './support/trusted-clock'
import { FAULTS } from './support/coingecko-stand-in'

const SOLANA = 'solana' as CoinId
let market: RunningMarket

useMarketScene()
beforeEach(async () => {
  market = await startMarket()
})

const run = (name: string) => runJob(market, name)
const charts = () => gecko.seen.filter((path) => path.includes('market_chart'))
const everything = async () =>
  (await database.pool.query('SELECT coin_key, level, bucket, usd FROM market_points ORDER BY 1, 2, 3')).rows

test('history on demand covers the whole span of every period without gaps, with one CoinGecko request per level', async () => {
  for (const period of PERIODS) {
    const { duration, initialAverage, granularity } = PERIOD_RULES[period]
    const { answer, complete } = await market.history(SOLANA, period)
    expect(complete).toBe(true)
    expect(answer).toMatchObject({ granularity, source: 'coingecko' })
    const older = answer.backfill.toReversed().flatMap(({ data }) => data)
    const times = [...older, ...answer.data].map(([time]) => time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(times).size).toBe(times.length)
    const wholeSpan = Math.min(duration + initialAverage, 365 * DAY)
    expect(clock() - times[0]!).toBeGreaterThan(
      wholeSpan - 2 * BUCKET_MS[answer.backfill.at(-1)?.granularity ?? granularity],
    )
    const step = BUCKET_MS[granularity]
    answer.data.forEach(([time], i) => {
      expect(time % step).toBe(0)
      if (i > 0) expect(time - answer.data[i - 1]![0]).toBe(step)
    })
    expect(clock() - answer.data.at(-1)![0]).toBeLessThan(step)
  }
  // Five periods, three requests: one a level.
  expect(charts()).toHaveLength(3)
})

test('a chart request whose history levels cannot be fetched fails with an error, and the server logs each level', async () => {
  const logged: { granularity: string; coin: string }[] = []
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) })
  const broken: MarketProvider = {
    ...simulatedProvider(clock),
    source: 'coingecko',
    reach: { fiveMinutely: DAY, hourly: 90 * DAY, daily: 365 * DAY },
    history: async () => {
      throw new TypeError('out of order')
    },
  }
  const { rows } = await database.pool.query<KnownCoin>(`SELECT * FROM market_coins WHERE id = 'solana'`)
  const store = historyStore({ pool: database.pool, provider: broken, clock, charge: chargeNobody, logger })
  await expect(store.serve(rows[0]!, '7d', undefined)).rejects.toThrow('out of order')
  const levels = wantedLevels('7d', broken.reach, clock()).map(({ granularity }) => granularity)
  expect(levels.length).toBeGreaterThan(1)
  await expect.poll(() => logged.map(({ granularity }) => granularity).toSorted()).toEqual(levels.toSorted())
  expect(new Set(logged.map(({ coin }) => coin))).toEqual(new Set(['solana']))
})

test('the history of every period ends with the latest price', async () => {
  const spot = (await market.prices([SOLANA])).get(SOLANA)!
  for (const period of PERIODS) {
    expect((await market.history(SOLANA, period)).answer.data.at(-1)![1]).toBe(spot.usd)
  }
})

test('hourly history has the price of the CoinGecko point that falls into each bucket', async () => {
  const { answer } = await market.history(SOLANA, '1m')
  const { price } = gecko.coins.get('solana')!
  for (const [time, usd] of answer.data.slice(1, -1)) expect(usd).toBeCloseTo(price!(time + 37_123)!, 6)
})

test('fifty simultaneous requests for one history make one CoinGecko request and get the same answer', async () => {
  gecko.hold()
  const clients = Array.from({ length: 50 }, () => market.history(SOLANA, '1m'))
  await gecko.arrived(2)
  gecko.release()
  const answers = await Promise.all(clients)
  expect(charts()).toHaveLength(1)
  expect(new Set(answers.map(({ answer }) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]!.answer.data.length).toBeGreaterThan(790)
})

test('twenty simultaneous history requests at two server processes make one CoinGecko request', async () => {
  const other = await makeMarket()
  gecko.hold()
  const clients = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? market : other).history(SOLANA, '1y'))
  await gecko.arrived(2)
  gecko.release()
  for (const { answer } of await Promise.all(clients)) expect(answer.data.length).toBeGreaterThan(360)
  expect(charts()).toHaveLength(1)
  await other.stop()
})

test('stored history is not requested from CoinGecko again until it is out of date', async () => {
  await market.history(SOLANA, '1m')
  clock.advance(2 * HOUR)
  await market.history(SOLANA, '1m')
  expect(charts()).toHaveLength(1)
  clock.advance(6 * HOUR)
  const { answer } = await market.history(SOLANA, '1m')
  expect(charts()).toHaveLength(2)
  expect(clock() - answer.data.at(-1)![0]).toBeLessThan(HOUR)
})

test('an untraded coin has empty history, and CoinGecko is not asked for it again at once', async () => {
  gecko.coins.set('untraded', { id: 'untraded', rank: 9, price: null })
  clock.advance(DAY + HOUR)
  await run('market-coins')
  const untraded = 'untraded' as CoinId
  expect((await market.history(untraded, '1m')).answer).toEqual({
    data: [],
    granularity: 'hourly',
    source: 'coingecko',
    backfill: [],
  })
  await market.history(untraded, '1m')
  expect(charts()).toHaveLength(1)
})

test('sparse old points in CoinGecko’s hourly history are answered as daily backfill', async () => {
  const whole = gecko.coins.get('solana')!.price!
  const hours = 20 * DAY
  gecko.coins.set('solana', {
    id: 'solana',
    rank: 3,
    price: (time) => (time > clock() - hours || Math.floor(time / HOUR) % 24 === 5 ? whole(time) : null),
  })
  const { answer } = await market.history(SOLANA, '3m')
  const gaps = answer.data.slice(1).map(([time], i) => time - answer.data[i]![0])
  expect(Math.max(...gaps)).toBe(HOUR)
  expect(answer.backfill[0]).toMatchObject({ granularity: 'daily' })
  expect(answer.backfill[0]!.data.length).toBeGreaterThanOrEqual(65)
})

test('history of a coin that is not listed is not found, and CoinGecko is not asked for it', async () => {
  await expect(market.history('nobody' as CoinId, '1d')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(charts()).toEqual([])
})

test('an answer of CoinGecko that was noted a day ahead does not keep the day from being fetched', async () => {
  clock.advance(DAY)
  await market.history(SOLANA, '1m')
  clock.advance(-DAY)
  await database.pool.query('DELETE FROM market_points')
  expect((await market.history(SOLANA, '1m')).complete).toBe(true)
  expect(charts()).toHaveLength(2)
  expect((await market.history(SOLANA, '1m')).answer.data.length).toBeGreaterThan(790)
  expect(charts()).toHaveLength(2)
})

test('a failure and a claim that were noted a day ahead do not keep history from being fetched', async () => {
  clock.advance(DAY)
  gecko.fail('500', 1)
  await market.history(SOLANA, '1m').catch(() => undefined)
  clock.advance(-DAY)
  expect((await market.history(SOLANA, '1m')).complete).toBe(true)
  await database.pool.query('DELETE FROM market_points')
  await database.pool.query('UPDATE market_fetches SET covered_until = NULL, claimed_until = $1', [clock() + DAY])
  expect((await market.history(SOLANA, '1m')).complete).toBe(true)
})

test('points of the future do not hide the stored history of a coin that CoinGecko does not answer for', async () => {
  await market.history(SOLANA, '1y')
  clock.advance(700 * DAY)
  await database.pool.query('INSERT INTO market_points SELECT key, 3, $1, 1, 1 FROM market_coins WHERE id = $2', [
    Math.ceil((clock() + 30 * DAY) / (5 * MINUTE)),
    'solana',
  ])
  gecko.fail('500', 10)
  const { answer, complete } = await market.history(SOLANA, '1y')
  expect([complete, answer.data.length > 300]).toEqual([false, true])
})

test.each(FAULTS.filter((fault) => fault !== 'hang' && fault !== 'half-a-body'))(
  'with CoinGecko fault %s the server answers with stored history and keeps it, and recovers afterwards',
  async (fault) => {
    const before = (await market.history(SOLANA, '1m')).answer
    const stored = await everything()
    clock.advance(9 * HOUR)
    gecko.fail(fault, 100)
    const { answer, complete } = await market.history(SOLANA, '1m')
    expect(complete).toBe(false)
    expect(answer.data.length).toBeGreaterThan(before.data.length - 12)
    expect(await everything()).toEqual(stored)
    // And it recovers.
    gecko.heal()
    clock.advance(20 * MINUTE)
    expect((await market.history(SOLANA, '1m')).complete).toBe(true)
  },
)

test('history that is not stored gets 503 while CoinGecko fails, and CoinGecko is asked again only after growing pauses', async () => {
  gecko.fail('500', 100)
  for (let i = 0; i < 10; i++) {
    await expect(market.history(SOLANA, '1m')).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  }
  expect(charts()).toHaveLength(1)
  clock.advance(16_000)
  await expect(market.history(SOLANA, '1m')).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  expect(charts()).toHaveLength(2)
  // The rest after a failure doubles.
  clock.advance(16_000)
  await expect(market.history(SOLANA, '1m')).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
  expect(charts()).toHaveLength(2)
})

test('when the monthly calls for history are used up, stored history is served and price polls go on', async () => {
  market = await makeMarket({ COINGECKO_MONTHLY_CALLS: '32' })
  await addPairs(database, [
    ['solana', 'bitcoin'],
    ['ethereum', 'pepe'],
  ])
  // Half of the month is over, and with it 57 % of the charts’ eight calls may have been made.
  const chart = (id: string, period: Period) => market.history(id as CoinId, period, '192.0.2.1')
  await chart(SOLANA, '3m')
  const known = (await chart(SOLANA, '1y')).answer
  for (const id of ['bitcoin', 'ethereum', 'pepe']) expect((await chart(id, '1y')).complete).toBe(true)
  // The list of coins and the charts; categories have calls of their own.
  const asked = () => gecko.seen.filter((path) => !path.includes('category='))
  expect(asked()).toHaveLength(6)
  await expect(chart('bitcoin', '1m')).resolves.toMatchObject({ complete: false })
  expect((await chart(SOLANA, '1y')).answer).toEqual(known)
  expect(asked()).toHaveLength(6)
  await market.prices([SOLANA])
  await run('market-prices')
  expect(gecko.seen.at(-1)).toContain('/simple/price')
  const { rows } = await database.pool.query('SELECT calls FROM market_calls')
  expect(rows).toEqual([{ calls: gecko.seen.length }])
})

test('price polls are stored as five-minute means and folded into all coarser levels', async () => {
  await market.prices([SOLANA])
  const start = Math.ceil(clock() / HOUR) * HOUR
  clock.advance(start - clock())
  const polled: number[] = []
  for (let i = 0; i < 60; i++) {
    await run('market-prices')
    polled.push(gecko.coins.get('solana')!.price!(clock())!)
    clock.advance(MINUTE)
  }
  await run('market-fold')
  const stored = async (level: number) =>
    (
      await database.pool.query<{ usd: number; samples: number }>(
        `SELECT usd, samples FROM market_points p JOIN market_coins c ON c.key = p.coin_key
       WHERE c.id = 'solana' AND level = $1 AND bucket >= $2 ORDER BY bucket`,
        [level, level === 3 ? 0 : start / (5 * MINUTE)],
      )
    ).rows
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const five = await stored(0)
  expect(five).toHaveLength(12)
  five.forEach(({ usd, samples }, i) => {
    expect(samples).toBe(5)
    expect(usd).toBeCloseTo(mean(polled.slice(i * 5, i * 5 + 5)), 9)
  })
  expect(await stored(1)).toEqual(
    [0, 6].map((at) => ({ usd: expect.closeTo(mean(five.slice(at, at + 6).map(({ usd }) => usd)), 9), samples: 6 })),
  )
  expect((await stored(2))[0]!.usd).toBeCloseTo(mean(polled), 9)
  expect(await stored(3)).toHaveLength(1)
})

test('a day folded from a few price polls does not replace the daily point that CoinGecko gave', async () => {
  const day = Math.floor(clock() / DAY) * DAY
  // Newer than the price that came with the list, so that it is a sample.
  clock.advance(MINUTE)
  await market.prices([SOLANA])
  await run('market-prices')
  await run('market-fold')
  expect((await everything()).map(({ level }) => level)).toEqual([0, 1, 2, 3])
  clock.advance(DAY)
  await market.history(SOLANA, '1y')
  await run('market-fold')
  const { data } = (await market.history(SOLANA, '1y')).answer
  expect(data.find(([time]) => time === day)![1]).toBe(gecko.coins.get('solana')!.price!(day + 37_123))
})

test('a polled price that is no newer than the last adds no sample to its bucket', async () => {
  gecko.coins.set('solana', { id: 'solana', rank: 3, price: () => 150 })
  await market.prices([SOLANA])
  const samples = async () =>
    (
      await database.pool.query(
        `SELECT samples FROM market_points p JOIN market_coins c ON c.key = p.coin_key WHERE c.id = 'solana'`,
      )
    ).rows
  await run('market-prices')
  const first = await samples()
  clock.advance(400)
  await run('market-prices')
  expect(await samples()).toEqual(first)
})

test('the retention job deletes old points of the finer levels first and keeps daily points', async () => {
  for (const period of PERIODS) await market.history(SOLANA, period)
  const count = async (level: number) =>
    Number((await database.pool.query('SELECT count(*) AS n FROM market_points WHERE level = $1', [level])).rows[0].n)
  const removeAfter = async (days: number) => {
    clock.advance(days * DAY)
    await trustClock({ database, clock })
    await run('market-retention')
  }
  await removeAfter(4)
  expect([await count(0), (await count(1)) > 0, (await count(2)) > 2000]).toEqual([0, true, true])
  await removeAfter(120)
  expect([await count(1), await count(2), (await count(3)) > 300]).toEqual([0, 0, true])
})
