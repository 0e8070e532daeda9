import { beforeEach, expect, test } from 'vitest'
import { foldPoints, readPoints, writeProvided } from '../../server/services/market/history/points'
import { savePrices } from '../../server/services/market/prices/stored-prices'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { seriesFromPoints } from '../../src/domain/series'
import { withDatabase } from './support/for-file'

/** Start of a bucket at every level below the day. */
const BUCKET = Date.UTC(2026, 0, 15, 12)
const LATER = BUCKET + HOUR
let key: number

const database = withDatabase()

beforeEach(async () => {
  await database.pool.query('TRUNCATE market_coins CASCADE')
  const { rows } = await database.pool.query<{ key: number }>(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at) VALUES ('coingecko', 'bitcoin', 'btc', 'Bitcoin', 0) RETURNING key`,
  )
  key = rows[0]!.key
})

const poll = (usd: number, at: number) =>
  savePrices(database.pool, 'coingecko', new Map([['bitcoin', { usd, providerTime: at }]]), at, { history: true })
const provide = (usd: number, now: number) =>
  writeProvided(database.pool, key, 'fiveMinutely', seriesFromPoints([[BUCKET, usd]]), now)
const stored = async () =>
  Array.from((await readPoints(database.pool, key, 'fiveMinutely', BUCKET, LATER)).fiveMinutely.prices)

test('a bucket with more than one polled price keeps their mean when the provider has one point for it', async () => {
  await poll(100, BUCKET + MINUTE)
  await poll(102, BUCKET + 2 * MINUTE)
  await provide(999, LATER)
  expect(await stored()).toEqual([101])
})

test('a bucket with a single polled price takes the point that the provider has for it', async () => {
  await poll(100, BUCKET + MINUTE)
  await provide(999, LATER)
  expect(await stored()).toEqual([999])
})

test('each coarser bucket follows the mean of a finer bucket that has had another price', async () => {
  await poll(100, BUCKET + MINUTE)
  await foldPoints(database.pool, [key], BUCKET)
  await poll(102, BUCKET + 2 * MINUTE)
  await foldPoints(database.pool, [key], BUCKET)
  const { hourly, daily } = await readPoints(database.pool, key, 'fiveMinutely', BUCKET, LATER)
  expect([Array.from(hourly.prices), Array.from(daily.prices)]).toEqual([[101], [101]])
})
