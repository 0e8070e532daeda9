import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { mergeBuckets } from '../../src/domain/aggregation'
import { readHistory, readHistoryUpdated, writeAggregated, writeServerLevels } from '../../src/db/history-rows'
import { readTickSeries, writePrices } from '../../src/db/write-prices'
import { BUCKET_MS, HOUR, LEVEL_SPAN, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { type Series, seriesFromPoints } from '../../src/domain/series'
import { NOW, testContext } from '../db/support/entries'

const BITCOIN = 'bitcoin' as CoinId
const points = ({ times, prices }: Series): [number, number][] => [...times].map((time, i) => [time, prices[i]!])
/** Time, price, time, price. */
const flat = (series: Series): number[] => points(series).flat()

const series = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 9 })), { maxLength: 60 })
  .map((raw) => seriesFromPoints(raw))

test('merged history has the winner’s points, and the base points of buckets in which the winner has none', () => {
  fc.assert(
    fc.property(series, series, fc.integer({ min: 1, max: 40 }), (base, winner, bucket) => {
      const taken = new Set([...winner.times].map((time) => Math.floor(time / bucket)))
      const rest = points(base).filter(([time]) => !taken.has(Math.floor(time / bucket)))
      expect(points(mergeBuckets(base, winner, bucket))).toEqual(points(seriesFromPoints([...rest, ...points(winner)])))
    }),
  )
})

const FIVE = BUCKET_MS.fiveMinutely
const start = Math.floor(NOW / FIVE) * FIVE
const level = (...data: [number, number][]) => ({
  coin: BITCOIN,
  granularity: 'fiveMinutely' as const,
  source: 'simulated' as const,
  series: seriesFromPoints(data),
})
const stored = async (db: ReturnType<typeof testContext>['db']) =>
  flat((await readHistory(db, BITCOIN, 'fiveMinutely'))!)

test('history levels take the server’s points first; the open bucket takes what is aggregated on the device', async () => {
  const { db } = testContext()
  await writeAggregated(db, [level([start - 2 * FIVE, 1], [start - FIVE, 2], [start, 3])], NOW)
  expect(await readHistoryUpdated(db)).toBeNull()
  await writeServerLevels(db, [level([start - FIVE, 20], [start, 30])], NOW)
  expect(await stored(db)).toEqual([start - 2 * FIVE, 1, start - FIVE, 20, start, 30])
  expect(await readHistoryUpdated(db)).toBe(NOW)
  await writeAggregated(db, [level([start - FIVE, 5], [start, 6])], NOW)
  expect(await stored(db)).toEqual([start - 2 * FIVE, 1, start - FIVE, 20, start, 6])
})

test('history levels never mix two sources', async () => {
  const { db } = testContext()
  await writeServerLevels(db, [level([start - FIVE, 20])], NOW)
  await writeServerLevels(db, [{ ...level([start, 9]), source: 'coingecko' }], NOW)
  expect(await stored(db)).toEqual([start, 9])
})

test('history levels take no points aggregated from a source that the prices have left', async () => {
  const { db } = testContext()
  await writePrices(db, 'coingecko', new Map([[BITCOIN, { usd: 9, providerTime: NOW }]]), NOW)
  await writeServerLevels(db, [{ ...level([start, 9]), source: 'coingecko' }], NOW)
  await writeAggregated(db, [level([start, 1])], NOW)
  expect(await stored(db)).toEqual([start, 9])
})

test('history levels with a damaged record are written anew', async () => {
  const { db } = testContext()
  await writeServerLevels(db, [level([start - FIVE, 20])], NOW)
  await db.history.update('bitcoin:fiveMinutely', { prices: new Float64Array(0) })
  await writeServerLevels(db, [level([start, 9])], NOW)
  expect(await stored(db)).toEqual([start, 9])
})

test('history levels drop points older than the span of the level', async () => {
  const { db } = testContext()
  await writeServerLevels(db, [level([NOW - LEVEL_SPAN.fiveMinutely - 1, 1], [start, 2])], NOW)
  expect(await stored(db)).toEqual([start, 2])
})

const poll = (db: ReturnType<typeof testContext>['db'], usd: number, at: number, seen = at) =>
  writePrices(db, 'simulated', new Map([[BITCOIN, { usd, providerTime: seen }]]), at)
const price = async (db: ReturnType<typeof testContext>['db']) => (await db.prices.get('usd'))!.prices[BITCOIN]

test('a price poll becomes a tick at least 30 s after the last tick, and only when the price changed', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW)
  await poll(db, 2, NOW + 29_999)
  await poll(db, 1, NOW + 40_000)
  await poll(db, 2, NOW + 50_000)
  expect(flat(await readTickSeries(db, BITCOIN, NOW - HOUR, NOW + HOUR))).toEqual([NOW, 1, NOW + 50_000, 2])
  expect(await price(db)).toEqual({ usd: 2, first_seen_at: NOW + 50_000, provider_time: NOW + 50_000 })
})

test('prices of the second read the tick buffer only when a tick is due', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW)
  const reads = vi.spyOn(db.ticks, 'where')
  for (let second = 1; second < 30; second += 1) await poll(db, 1 + second, NOW + second * 1_000)
  expect(reads).not.toHaveBeenCalled()
  await poll(db, 40, NOW + 30_000)
  expect(reads).toHaveBeenCalled()
  expect(flat(await readTickSeries(db, BITCOIN, NOW, NOW + HOUR))).toEqual([NOW, 1, NOW + 30_000, 40])
})

test('a price poll that confirms a price moves the time until which the price held', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW)
  await poll(db, 1, NOW + 75_000)
  expect(await price(db)).toEqual({ usd: 1, first_seen_at: NOW, provider_time: NOW + 75_000 })
})

test('a price poll that brings an old price leaves the price old', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW, NOW - 2 * HOUR)
  await poll(db, 1, NOW + 75_000, NOW - 2 * HOUR)
  expect(await price(db)).toEqual({ usd: 1, first_seen_at: NOW - 2 * HOUR, provider_time: NOW - 2 * HOUR })
  expect(flat(await readTickSeries(db, BITCOIN, NOW - 3 * HOUR, NOW + HOUR))).toEqual([NOW - 2 * HOUR, 1])
})

test('price polls keep 36 hours of ticks in chunks of an hour, and the tick that held where the span begins', async () => {
  const { db } = testContext()
  for (let i = 0; i < 50; i++) await poll(db, 1 + i, NOW + i * HOUR)
  const end = NOW + 49 * HOUR
  expect(await db.ticks.count()).toBe(37)
  const last = flat(await readTickSeries(db, BITCOIN, end - HOUR + 1, end + 1))
  expect(last).toEqual([end - HOUR, 49, end, 50])
})

test('a price poll by a clock that was ahead does not keep later polls out', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW + 2 * HOUR)
  await poll(db, 2, NOW + 10 * MINUTE)
  await poll(db, 3, NOW + 20 * MINUTE)
  expect(flat(await readTickSeries(db, BITCOIN, NOW, NOW + 5 * HOUR))).toEqual([
    NOW + 10 * MINUTE,
    2,
    NOW + 20 * MINUTE,
    3,
  ])
})

test('a price poll from another source deletes the prices and ticks of the source before', async () => {
  const { db } = testContext()
  await poll(db, 1, NOW)
  const other = new Map([['ethereum' as CoinId, { usd: 5, providerTime: NOW + MINUTE }]])
  await writePrices(db, 'coingecko', other, NOW + MINUTE)
  expect(Object.keys((await db.prices.get('usd'))!.prices)).toEqual(['ethereum'])
  expect(flat(await readTickSeries(db, BITCOIN, NOW - HOUR, NOW + HOUR))).toEqual([])
})
