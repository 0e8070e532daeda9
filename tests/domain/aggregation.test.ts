import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageBuckets, foldLevels, type Levels, mergeBuckets } from '../../src/domain/aggregation'
import { BUCKET_MS, DAY, GRANULARITIES, HOUR, MINUTE } from '../../src/domain/granularity'
import { emptySeries, mergeSeries, seriesFromPoints, type Series, sliceSeries } from '../../src/domain/series'

const DAWN = 1_800_057_600_000 // a midnight
const pointsOf = ({ times, prices }: Series): [number, number][] => Array.from(times, (time, i) => [time, prices[i]!])
const anySeries = fc
  .array(fc.tuple(fc.nat(200), fc.double({ min: 1e-8, max: 1e5, noNaN: true })), { maxLength: 60 })
  .map((list) => seriesFromPoints(list))

test('averageBuckets gives each bucket the mean of the points in the bucket', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 1, max: 50 }), fc.nat(100), (finer, size, from) => {
      const naive = new Map<number, [number, number][]>()
      for (const point of pointsOf(finer)) {
        const bucket = Math.floor(point[0] / size) * size
        naive.set(bucket, [...(naive.get(bucket) ?? []), point])
      }
      const expected = [...naive].filter(([bucket]) => bucket >= from)
      const found = averageBuckets(finer, size, from)
      expect([...found.times]).toEqual(expected.map(([bucket]) => bucket))
      for (const [i, [, inside]] of expected.entries()) {
        const mean = inside.reduce((sum, [, price]) => sum + price, 0) / inside.length
        expect(found.prices[i]! / mean).toBeCloseTo(1, 12)
      }
    }),
  )
})

test('averageBuckets is idempotent, and equal prices average to exactly that price', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 1, max: 50 }), (finer, size) => {
      const once = averageBuckets(finer, size)
      expect(averageBuckets(once, size)).toEqual(once)
    }),
  )
  const flat = seriesFromPoints([0, 1, 2, 3, 4, 5, 6].map((time) => [time, 0.1]))
  expect([...averageBuckets(flat, 7).prices]).toEqual([0.1])
})

test('averageBuckets puts a time before 1970 into the bucket below', () => {
  expect([...averageBuckets(seriesFromPoints([[-1, 1]]), 10).times]).toEqual([-10])
})

test('mergeBuckets takes points of the base only for buckets in which the winner has none', () => {
  fc.assert(
    fc.property(anySeries, anySeries, fc.integer({ min: 1, max: 50 }), (base, winner, size) => {
      const spoken = new Set(Array.from(winner.times, (time) => Math.floor(time / size)))
      const expected = [...pointsOf(base).filter(([time]) => !spoken.has(Math.floor(time / size))), ...pointsOf(winner)]
      expect(pointsOf(mergeBuckets(base, winner, size))).toEqual(expected.toSorted((one, other) => one[0] - other[0]))
    }),
  )
})

const ticks = (from: number, until: number, price: (time: number) => number): Series => {
  const points: [number, number][] = []
  for (let time = from; time < until; time += 75_000) points.push([time, price(time)])
  return seriesFromPoints(points)
}
const wave = (time: number): number => 100 + Math.sin(time / 1e6)
const store = (levels: Levels, changed: ReturnType<typeof foldLevels>): Levels =>
  Object.fromEntries(
    GRANULARITIES.map((granularity) => {
      const { series, serverUntil } = levels[granularity] ?? { series: emptySeries(), serverUntil: 0 }
      const merged = mergeBuckets(series, changed[granularity], BUCKET_MS[granularity])
      return [granularity, { series: merged, serverUntil }]
    }),
  )

test('foldLevels averages each level from the next finer one', () => {
  const own = ticks(DAWN, DAWN + 3 * HOUR, wave)
  const folded = foldLevels(own, {}, DAWN + 3 * HOUR)
  expect(folded.fiveMinutely).toEqual(averageBuckets(own, 5 * MINUTE))
  expect(folded.thirtyMinutely).toEqual(averageBuckets(folded.fiveMinutely, 30 * MINUTE))
  expect(folded.hourly).toEqual(averageBuckets(folded.thirtyMinutely, HOUR))
  expect(folded.daily).toEqual(averageBuckets(folded.hourly, DAY))
  expect(GRANULARITIES.map((granularity) => folded[granularity].times.length)).toEqual([36, 6, 3, 1])
})

test('foldLevels makes of a minute of ticks no bucket that begins before the first tick', () => {
  const first = DAWN + 14 * HOUR + 7 * MINUTE
  const minute = foldLevels(ticks(first, first + MINUTE, wave), {}, first + MINUTE)
  expect(GRANULARITIES.map((granularity) => minute[granularity].times.length)).toEqual([0, 0, 0, 0])
  const day = foldLevels(ticks(first, first + 11 * HOUR, wave), {}, first + 11 * HOUR)
  expect(GRANULARITIES.map((granularity) => day[granularity].times[0])).toEqual([
    DAWN + 14 * HOUR + 10 * MINUTE,
    DAWN + 14 * HOUR + 30 * MINUTE,
    DAWN + 15 * HOUR,
    DAWN + DAY,
  ])
})

test('foldLevels makes no coarser bucket of prices that were all seen after a gap at its start', () => {
  const before = ticks(DAWN, DAWN + HOUR, wave)
  const later = DAWN + 14 * HOUR + 7 * MINUTE
  const own = mergeSeries(before, ticks(later, later + HOUR, wave))
  const folded = foldLevels(own, {}, later + HOUR)
  expect([...folded.thirtyMinutely.times].filter((time) => time > DAWN + HOUR)).toEqual([
    DAWN + 14 * HOUR + 30 * MINUTE,
    DAWN + 15 * HOUR,
  ])
  expect([...folded.hourly.times]).toEqual([DAWN, DAWN + 15 * HOUR])
  expect([...folded.daily.times]).toEqual([DAWN])
})

test('a second foldLevels run writes nothing, and an open bucket is written again when ticks are added', () => {
  const first = foldLevels(ticks(DAWN, DAWN + 62 * MINUTE, wave), {}, DAWN + 62 * MINUTE)
  const stored = store({}, first)
  const again = foldLevels(ticks(DAWN, DAWN + 62 * MINUTE, wave), stored, DAWN + 62 * MINUTE)
  expect(GRANULARITIES.map((granularity) => again[granularity].times.length)).toEqual([0, 0, 0, 0])
  const later = foldLevels(ticks(DAWN, DAWN + 64 * MINUTE, wave), stored, DAWN + 64 * MINUTE)
  expect([...later.fiveMinutely.times]).toEqual([DAWN + HOUR])
  expect([...later.hourly.times]).toEqual([DAWN + HOUR])
})

test('any sequence of foldLevels runs ends in the same levels as one run at the end', () => {
  const own = ticks(DAWN, DAWN + DAY, wave)
  const runs = fc.array(fc.nat(24 * 60), { maxLength: 8 })
  fc.assert(
    fc.property(runs, (minutes) => {
      const ends = [...minutes.toSorted((one, other) => one - other), 24 * 60].map((minute) => DAWN + minute * MINUTE)
      let stored: Levels = {}
      for (const end of ends) stored = store(stored, foldLevels(sliceSeries(own, -Infinity, end), stored, end))
      expect(stored).toEqual(store({}, foldLevels(own, {}, DAWN + DAY)))
    }),
    { numRuns: 30 },
  )
})

test('foldLevels does not rewrite buckets that have lost a part of their ticks', () => {
  const whole = ticks(DAWN, DAWN + 40 * HOUR, wave)
  const stored = store({}, foldLevels(sliceSeries(whole, -Infinity, DAWN + 30 * HOUR), {}, DAWN + 30 * HOUR))
  const now = DAWN + 40 * HOUR
  // The buffer of 36 h reaches back to 04:00, and has just lost 04:00 to 04:02 as well.
  const rest = sliceSeries(whole, DAWN + 4 * HOUR + 2 * MINUTE)
  const late = foldLevels(rest, stored, now + 2 * MINUTE)
  expect(late.fiveMinutely.times[0]).toBe(DAWN + 30 * HOUR)
  expect([...late.hourly.times]).toEqual(Array.from({ length: 10 }, (_, i) => DAWN + (30 + i) * HOUR))
  expect([...late.daily.times]).toEqual([DAWN + DAY])
})

test('foldLevels does not rewrite buckets that the server has given, and averages them into the coarser level', () => {
  const served = seriesFromPoints([
    [DAWN, 7],
    [DAWN + 5 * MINUTE, 8],
  ])
  const levels: Levels = { fiveMinutely: { series: served, serverUntil: DAWN + 10 * MINUTE } }
  const folded = foldLevels(
    ticks(DAWN, DAWN + 20 * MINUTE, () => 100),
    levels,
    DAWN + 20 * MINUTE,
  )
  expect(pointsOf(folded.fiveMinutely)).toEqual([
    [DAWN + 10 * MINUTE, 100],
    [DAWN + 15 * MINUTE, 100],
  ])
  expect(pointsOf(folded.thirtyMinutely)).toEqual([[DAWN, (7 + 8 + 100 + 100) / 4]])
  expect(pointsOf(averageBuckets(mergeSeries(served, folded.fiveMinutely), 30 * MINUTE))).toEqual(
    pointsOf(folded.thirtyMinutely),
  )
})

test('foldLevels reads nothing older than a level’s span into the next coarser level', () => {
  const now = DAWN + 10 * DAY
  const old = seriesFromPoints(Array.from({ length: 2_500 }, (_, i) => [DAWN + i * 5 * MINUTE, i]))
  const folded = foldLevels(emptySeries(), { fiveMinutely: { series: old, serverUntil: 0 } }, now)
  expect(folded.thirtyMinutely.times[0]).toBe(DAWN + 7 * DAY)
  expect(folded.hourly.times[0]).toBe(DAWN + 7 * DAY)
})
