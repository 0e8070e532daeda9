import { expect, test } from 'vitest'
import { ProviderError } from '../../server/adapters/market-data/provider'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { writeCloses } from '../../server/services/market/history/closes'
import { coinList } from '../../server/services/market/coin-list'
import { fillCloses } from '../../server/services/market/history/fill-closes'
import { ownCloses } from '../../server/services/market/history/own-closes'
import { closesOf, type DailyMatrix, decodeDailyMatrix, MATRIX_DAYS, utcDayOf } from '../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { seriesFromPoints } from '../../src/domain/series'
import { clock, database, gecko, makeMarket, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'
import { trustClock } from './support/trusted-clock'
import { wave } from './support/coingecko-stand-in'

useMarketScene()

type Market = Awaited<ReturnType<typeof startMarket>>

async function matrixOf(market: Market): Promise<DailyMatrix> {
  const { bytes } = await market.daily()
  return decodeDailyMatrix(new Uint8Array(bytes).buffer)!
}

/** A coin's closes by days before today: `1` is yesterday. */
async function closesBefore(market: Market, coin: string, ...days: readonly number[]): Promise<number[]> {
  const matrix = await matrixOf(market)
  const row = (matrix.coins as readonly string[]).indexOf(coin)
  const last = matrix.firstDay + matrix.days
  expect(last).toBe(utcDayOf(clock()))
  return days.map((before) => closesOf(matrix, row)[matrix.days - before]!)
}

const keyOf = async (coin: string): Promise<number> =>
  (await database.pool.query<{ key: number }>('SELECT key FROM market_coins WHERE id = $1', [coin])).rows[0]!.key

/** Stores prices of bitcoin at these times as the provider's. */
async function observe(...points: [at: number, usd: number][]): Promise<void> {
  for (const point of points) {
    await writeCloses(database.pool, await keyOf('bitcoin'), seriesFromPoints([point]), clock())
  }
}

const fillAll = async (market: Market): Promise<void> => {
  for (let run = 0; run < 6; run++) await runJob(market, 'market-fill')
}

/** Float32 has some seven digits. */
const near = (value: number) => expect.closeTo(value, Math.max(0, 5 - Math.floor(Math.log10(value))))

const midnight = Date.UTC(2026, 0, 15)

test('a day closes with the price nearest to its end, before or after it, whichever was stored first', async () => {
  const market = await startMarket()
  await observe([midnight - 40_000, 102], [midnight + 25_000, 101], [midnight - MINUTE, 103], [midnight + HOUR, 104])
  expect(await closesBefore(market, 'bitcoin', 1)).toEqual([101])
})

test('a price counts for the day whose end it is nearest to, so that no close is more than twelve hours off', async () => {
  const market = await startMarket()
  await observe([midnight - 13 * HOUR, 7], [midnight - 11 * HOUR, 8])
  expect(await closesBefore(market, 'bitcoin', 2, 1)).toEqual([7, 8])
  await observe([midnight - DAY - 3 * HOUR, 6])
  clock.advance(MINUTE)
  expect(await closesBefore(market, 'bitcoin', 2, 1)).toEqual([6, 8])
})

test('a price from the future and one of zero are no closes, and a day without a price is missing', async () => {
  const market = await startMarket()
  await observe([clock() + HOUR, 9], [midnight - 3 * DAY, 0], [midnight - 4 * DAY, 5])
  expect(await closesBefore(market, 'bitcoin', 5, 4, 3)).toEqual([5, NaN, NaN])
})

test('polled prices become closes without a further request, the last before midnight or the first after it', async () => {
  const market = await startMarket()
  await addPairs(database, [['bitcoin', 'ethereum']])
  clock.advance(midnight + DAY - 90_000 - clock())
  await runJob(market, 'market-prices')
  await runJob(market, 'market-closes')
  const asked = gecko.seen.length
  const before = wave(100_000)(clock())
  clock.advance(10 * MINUTE)
  await runJob(market, 'market-closes')
  expect(gecko.seen).toHaveLength(asked)
  expect(await closesBefore(market, 'bitcoin', 1)).toEqual([near(before)])
})

test('the list of coins is renewed at the first look after midnight UTC, and closes the day of coins that nobody polls', async () => {
  const market = await startMarket()
  const lists = () => gecko.seen.filter((path) => path.startsWith('/coins/markets')).length
  const listed = lists()
  await runJob(market, 'market-coins')
  expect(lists()).toBe(listed)
  clock.advance(midnight + DAY + 20_000 - clock())
  await runJob(market, 'market-coins')
  expect(lists()).toBe(listed + 1)
  await runJob(market, 'market-closes')
  expect(await closesBefore(market, 'pepe', 1)).toEqual([near(wave(0.0000061)(clock()))])
})

test('the list of coins closes the day of one that is seldom traded, whose price was hours old when the list came', async () => {
  const market = await startMarket()
  clock.advance(midnight + DAY - 10_000 - clock())
  await runJob(market, 'market-closes')
  clock.advance(MINUTE)
  await database.pool.query('UPDATE market_prices SET usd = 7, at = $1, seen_at = $2 WHERE coin_key = $3', [
    midnight + DAY - 3 * HOUR,
    clock(),
    await keyOf('pepe'),
  ])
  await runJob(market, 'market-closes')
  expect(await closesBefore(market, 'pepe', 1)).toEqual([7])
})

test('a stored close that looks wrong is left out of the matrix and stays in the database', async () => {
  for (let coin = 0; coin < 10; coin++) {
    gecko.coins.set(`coin-${coin}`, { id: `coin-${coin}`, rank: 20 + coin, price: wave(10 + coin) })
  }
  const market = await startMarket()
  await fillAll(market)
  for (let run = 0; run < 12; run++) await runJob(market, 'market-fill')
  const key = await keyOf('bitcoin')
  const day = utcDayOf(clock()) - 40
  await database.pool.query(`UPDATE market_closes SET usd = usd * 10 WHERE coin_key = ${key} AND day = ${day}`)
  await database.pool.query(`UPDATE market_coins SET closes_version = closes_version + 1 WHERE key = ${key}`)
  clock.advance(MINUTE)
  const matrix = await matrixOf(market)
  const row = (matrix.coins as readonly string[]).indexOf('bitcoin')
  expect(matrix.leftOut).toEqual(new Map([[row, [day - matrix.firstDay]]]))
  expect(await closesBefore(market, 'bitcoin', 41, 40, 39)).toEqual([expect.any(Number), NaN, expect.any(Number)])
  const { rows } = await database.pool.query(`SELECT FROM market_closes WHERE coin_key = ${key} AND day = ${day}`)
  expect(rows).toHaveLength(1)
})

test('the matrix has the best coins by market cap first, then watched ones, over 365 days that have ended', async () => {
  gecko.coins.set('unranked', { id: 'unranked', rank: 900, price: wave(2) })
  const market = await startMarket()
  await addPairs(database, [['unranked', 'bitcoin']])
  await database.pool.query("UPDATE market_coins SET market_cap_rank = NULL WHERE id = 'unranked'")
  clock.advance(MINUTE)
  await fillAll(market)
  const matrix = await matrixOf(market)
  expect(matrix).toMatchObject({ source: 'coingecko', days: MATRIX_DAYS, ranked: 4 })
  expect(matrix.coins).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe', 'unranked'])
  expect(matrix.firstDay + matrix.days).toBe(utcDayOf(clock()))
})

test('a watched coin with too few closes for any figure is left out, one of the best keeps its place', async () => {
  gecko.coins.set('new', { id: 'new', rank: 900, price: wave(2) })
  const market = await startMarket()
  await addPairs(database, [['new', 'bitcoin']])
  await database.pool.query("UPDATE market_coins SET market_cap_rank = NULL WHERE id = 'new'")
  clock.advance(MINUTE)
  expect((await matrixOf(market)).coins).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe'])
})

test('the same body is given until a close, the day or the coins have changed', async () => {
  const market = await startMarket()
  const first = await market.daily()
  clock.advance(2 * MINUTE)
  expect(await market.daily()).toBe(first)
  await observe([Date.UTC(2026, 0, 10), 3])
  clock.advance(2 * MINUTE)
  const second = await market.daily()
  expect(second.etag).not.toBe(first.etag)
  // The price of a day that still lasts is no close yet.
  await observe([clock() - 1000, 4])
  clock.advance(2 * MINUTE)
  expect(await market.daily()).toBe(second)
  clock.advance(DAY)
  expect((await market.daily()).etag).not.toBe(second.etag)
})

test('the body stays the same, in all processes, while watched coins that no widget has are polled in turn', async () => {
  for (const id of ['one', 'two']) gecko.coins.set(id, { id, rank: 900, price: wave(2) })
  const market = await startMarket()
  await runJob(market, 'market-closes')
  await database.pool.query(
    "UPDATE market_coins SET market_cap_rank = NULL, asked_at = $1 WHERE id IN ('one', 'two')",
    [clock()],
  )
  clock.advance(MINUTE)
  await fillAll(market)
  const seen = (first: string) =>
    database.pool.query(
      'UPDATE market_prices p SET seen_at = $2::bigint + (c.id <> $1)::int FROM market_coins c WHERE c.key = p.coin_key',
      [first, clock()],
    )
  await seen('one')
  clock.advance(2 * MINUTE)
  const body = await market.daily()
  expect((await matrixOf(market)).coins).toHaveLength(6)
  await seen('two')
  clock.advance(2 * MINUTE)
  expect(await market.daily()).toBe(body)
  const other = await makeMarket()
  expect((await other.daily()).etag).toBe(body.etag)
})

test('without a list of coins there is no matrix', async () => {
  gecko.fail('500', 9)
  const market = await startMarket()
  await expect(market.daily()).rejects.toMatchObject({ code: 'MARKET_DATA_UNAVAILABLE' })
})

const histories = () => gecko.seen.filter((path) => path.includes('/market_chart'))

test('the past year is asked for once a coin, of those that widgets hold at once, and of the best one coin a run', async () => {
  const market = await startMarket()
  await addPairs(database, [['pepe', 'solana']])
  await runJob(market, 'market-fill')
  expect(histories()).toHaveLength(3)
  await fillAll(market)
  const asked = histories().map((path) => path.split('/')[2])
  expect(asked).toHaveLength(4)
  expect(asked.slice(0, 2).toSorted()).toEqual(['pepe', 'solana'])
  const midnight = Date.UTC(2026, 0, 15)
  const closes = await closesBefore(market, 'bitcoin', 1, 100, 364)
  const at = (day: number) => near(wave(100_000)(midnight - (day - 1) * DAY + 37_123))
  expect(closes).toEqual([at(1), at(100), at(364)])
})

test('a daily history that a chart asked for gives the closes as well', async () => {
  const market = await startMarket()
  await market.history('bitcoin' as CoinId, '1y')
  expect((await closesBefore(market, 'bitcoin', 1, 200)).every((close) => close > 0)).toBe(true)
})

test('a provider that fails is left alone for minutes, and the coin is asked for again after them', async () => {
  const market = await startMarket()
  gecko.fail('500')
  await fillAll(market)
  expect(histories()).toHaveLength(1)
  clock.advance(6 * MINUTE)
  await fillAll(market)
  expect(new Set(histories()).size).toBe(4)
  expect(histories()).toHaveLength(5)
})

test('a coin whose history the provider cannot give keeps no other coin from its past', async () => {
  const market = await startMarket()
  await addPairs(database, [['pepe', 'solana']])
  const asked: string[] = []
  const provider = {
    ...simulatedProvider(clock),
    source: market.source,
    history: async (id: string) => {
      asked.push(id)
      if (id === 'pepe') throw new ProviderError('malformed', 'Half a chart')
      return seriesFromPoints([[clock(), 1]])
    },
  }
  const list = coinList({ pool: database.pool, provider, clock, store: async () => undefined })
  const deps = { pool: database.pool, provider, budget: null, clock }
  const own = ownCloses({ ...deps, perMinute: 20, onFilled: () => undefined })
  const fill = fillCloses({ ...deps, list, own })
  for (let run = 0; run < 2; run++) {
    await fill(new AbortController().signal)
    clock.advance(10 * MINUTE)
  }
  expect(asked).toEqual(['pepe', 'solana', 'bitcoin', 'ethereum', 'pepe'])
})

test('a server that stops begins no further request for the past', async () => {
  const market = await startMarket({ MARKET_DATA: 'simulated' })
  await market.jobs.find(({ name }) => name === 'market-fill')!.run(AbortSignal.abort())
  expect((await database.pool.query('SELECT FROM market_closes')).rowCount).toBe(0)
})

test('the past is asked for only while users leave over half of the calls on demand', async () => {
  const market = await startMarket({ COINGECKO_MONTHLY_CALLS: '60' })
  // 14.5 of 31 days are over: 57 % of the month's 6 calls for coins of no widget are there, so 4, and half of them is 2.
  for (let run = 0; run < 10; run++) await runJob(market, 'market-fill')
  expect(histories()).toHaveLength(2)
})

test('days that were missed are asked for again, once a day a coin', async () => {
  const market = await startMarket()
  await fillAll(market)
  const filled = histories().length
  clock.advance(3 * DAY)
  await fillAll(market)
  expect(histories()).toHaveLength(2 * filled)
  await fillAll(market)
  expect(histories()).toHaveLength(2 * filled)
  expect((await closesBefore(market, 'bitcoin', 1, 2, 3)).every((close) => close > 0)).toBe(true)
})

test('the first answer of the simulated market is complete, also while the job is still filling it', async () => {
  const isFull = ({ prices }: DailyMatrix) => prices.every((price) => price > 0)
  const market = await startMarket({ MARKET_DATA: 'simulated' })
  const job = runJob(market, 'market-fill')
  expect(isFull(await matrixOf(market))).toBe(true)
  await job
  await database.pool.query('DELETE FROM market_closes; UPDATE market_coins SET closes_asked_at = NULL')
  expect(isFull(await matrixOf(await startMarket({ MARKET_DATA: 'simulated' })))).toBe(true)
})

test('the simulated market fills all coins in one run', { tags: ['full'] }, async () => {
  const market = await startMarket({ MARKET_DATA: 'simulated' })
  await runJob(market, 'market-fill')
  const matrix = await matrixOf(market)
  expect(matrix.ranked).toBe(60)
  expect(matrix.prices.filter((price) => price > 0)).toHaveLength(matrix.prices.length)
})

test('closes are removed once they are older than the matrix', async () => {
  const market = await startMarket()
  await observe([clock() - 300 * DAY, 1], [clock() - 398 * DAY, 2])
  const days = async () => (await database.pool.query('SELECT FROM market_closes')).rowCount
  expect(await days()).toBe(2)
  clock.advance(6 * DAY)
  await trustClock({ database, clock })
  await runJob(market, 'closes-retention')
  expect(await days()).toBe(1)
})
