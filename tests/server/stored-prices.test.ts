import { beforeEach, expect, test } from 'vitest'
import { foldPoints, readPoints, writeProvided } from '../../server/services/market/history/points'
import { readStoredPrices, savePrices } from '../../server/services/market/prices/stored-prices'
import type { Exchange } from '../../src/domain/exchanges'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { seriesFromPoints } from '../../src/domain/series'
import { withDatabase } from './support/for-file'

/* Which of two stored prices counts, where one is the provider's and one an exchange's (decision 0134), and what points come of them. */

/** Start of a bucket at every level below the day, and of a span of 30 s. */
const START = Date.UTC(2026, 0, 15, 12)
const LATER = START + HOUR
const SECOND = 1000
let key: number

const database = withDatabase()
beforeEach(async () => {
  await database.pool.query('TRUNCATE market_coins CASCADE')
  const { rows } = await database.pool.query<{ key: number }>(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at) VALUES ('coingecko', 'bitcoin', 'btc', 'Bitcoin', 0) RETURNING key`,
  )
  key = rows[0]!.key
})

/** Stores a price. @param at milliseconds after START; @param now likewise, when it came */
const save = (usd: number, at: number, now: number, via: Exchange | null) =>
  savePrices(
    database.pool,
    'coingecko',
    new Map([['bitcoin', { usd, providerTime: START + at, ...(via !== null && { via }) }]]),
    START + now,
    { history: true },
  )
const provider = (usd: number, at: number, now = at) => save(usd, at, now, null)
const kraken = (usd: number, at: number, now = at) => save(usd, at, now, 'kraken')

const stored = async () => {
  const { usd, via, providerTime } = (await readStoredPrices(database.pool, 'coingecko')).get('bitcoin')!
  return [usd, via, providerTime - START]
}
const samples = async (): Promise<number[]> => {
  const { rows } = await database.pool.query<{ samples: number }>(
    'SELECT samples FROM market_points WHERE level = 0 ORDER BY bucket',
  )
  return rows.map((row) => row.samples)
}

test('an exchange’s price replaces the provider’s, names the exchange, and is not replaced by an older or a newer poll that agrees', async () => {
  await provider(100, 0)
  await kraken(101, 5 * SECOND)
  expect(await stored()).toEqual([101, 'kraken', 5 * SECOND])
  await provider(100.5, 4 * SECOND, 6 * SECOND)
  await provider(100.6, 7 * SECOND)
  expect(await stored()).toEqual([101, 'kraken', 5 * SECOND])
})

test('a poll replaces the price of an exchange that is silent for a minute, and names no exchange', async () => {
  await kraken(101, 0)
  await provider(100, 59 * SECOND)
  expect(await stored()).toEqual([101, 'kraken', 0])
  await provider(100, 60 * SECOND)
  expect(await stored()).toEqual([100, null, 60 * SECOND])
})

test('a poll replaces an exchange’s price that is more than 3 % away at once, even where the poll’s is older', async () => {
  await kraken(103, 30 * SECOND)
  await provider(100, 0, 31 * SECOND)
  expect(await stored()).toEqual([103, 'kraken', 30 * SECOND])
  await kraken(103.1, 32 * SECOND)
  await provider(100, 0, 33 * SECOND)
  expect(await stored()).toEqual([100, null, 0])
})

test('an exchange’s price of every second is one sample of history in 30 s', async () => {
  for (let second = 0; second < 90; second++) await kraken(100, second * SECOND)
  expect(await samples()).toEqual([3])
})

test('an exchange’s price that is older than the stored one changes neither price nor history', async () => {
  await kraken(100, 2 * MINUTE)
  await kraken(90, MINUTE, 2 * MINUTE)
  expect([await stored(), await samples()]).toEqual([[100, 'kraken', 2 * MINUTE], [1]])
})

/** The provider’s history has this price for the bucket. */
const provide = (usd: number, now: number) =>
  writeProvided(database.pool, key, 'fiveMinutely', seriesFromPoints([[START, usd]]), now)
const points = async () =>
  Array.from((await readPoints(database.pool, key, 'fiveMinutely', START, LATER)).fiveMinutely.prices)

test('a bucket with more than one polled price keeps their mean when the provider has one point for it', async () => {
  await provider(100, MINUTE)
  await provider(102, 2 * MINUTE)
  await provide(999, LATER)
  expect(await points()).toEqual([101])
})

test('a bucket with a single polled price takes the point that the provider has for it', async () => {
  await provider(100, MINUTE)
  await provide(999, LATER)
  expect(await points()).toEqual([999])
})

test('each coarser bucket follows the mean of a finer bucket that has had another price', async () => {
  await provider(100, MINUTE)
  await foldPoints(database.pool, [key], START)
  await provider(102, 2 * MINUTE)
  await foldPoints(database.pool, [key], START)
  const { hourly, daily } = await readPoints(database.pool, key, 'fiveMinutely', START, LATER)
  expect([Array.from(hourly.prices), Array.from(daily.prices)]).toEqual([[101], [101]])
})
