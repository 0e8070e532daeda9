import { expect, test } from 'vitest'
import { type CoinDay, summarize } from '../../src/domain/pair-summary'
import { dayChange, sparkline, trendSteps } from '../../src/domain/day-figures'
import { relativeChange } from '../../src/domain/pair'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { RatioSeries } from '../../src/domain/ratio-series'
import { emptySeries, seriesFromPoints } from '../../src/domain/series'
import { tickRatios, withHeldPrice, withHistoryInGaps } from '../../src/domain/live-prices'
import { priceRow } from '../support/price-row'
import * as fc from 'fast-check'

const NOW = 1_800_000_000_000
const ratios = (...points: [number, number][]): RatioSeries => ({
  times: Float64Array.from(points, ([time]) => time),
  ratios: Float64Array.from(points, ([, ratio]) => ratio),
})
const pointsOf = ({ times, ratios }: RatioSeries): number[][] => Array.from(times, (time, i) => [time, ratios[i]!])
const every = (step: number, from: number, until: number): number[] =>
  Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, i) => from + i * step)

const moment = NOW - DAY

test('the 24h change starts from the point nearest to 24 hours ago, on either side, of any source', () => {
  const near = ratios([moment - 5 * MINUTE, 4], [moment + 6 * MINUTE, 100])
  const far = ratios([moment - 10 * MINUTE, 2])
  expect(dayChange(5, NOW, [far, near])).toBeCloseTo(0.25, 12)
  expect(dayChange(5, NOW, [near, far])).toBeCloseTo(0.25, 12)
  expect(dayChange(5, NOW, [ratios([moment, 10]), near])).toBeCloseTo(-0.5, 12)
  expect(dayChange(5, NOW, [far, ratios([moment + 4 * MINUTE, 2.5])])).toBeCloseTo(1, 12)
  expect(dayChange(5, NOW, [ratios([moment - MINUTE, 4], [moment + MINUTE, 100])])).toBeCloseTo(0.25, 12)
})

test('the 24h change is null without a current ratio or a point at most 15 minutes from 24 hours ago', () => {
  const from = (offset: number): number | null => dayChange(5, NOW, [ratios([moment + offset, 4])])
  expect(from(-15 * MINUTE)).toBeCloseTo(0.25, 12)
  expect(from(15 * MINUTE)).toBeCloseTo(0.25, 12)
  expect(from(-15 * MINUTE - 1)).toBeNull()
  expect(from(15 * MINUTE + 1)).toBeNull()
  expect(dayChange(5, NOW, [])).toBeNull()
  expect(dayChange(null, NOW, [ratios([moment, 4])])).toBeNull()
})

test('a relative change from zero is null, and a relative change to zero is -1', () => {
  expect(relativeChange(5, 0)).toBeNull()
  expect(relativeChange(0, 5)).toBe(-1)
})

test('the price of a tick holds until the next tick of its coin', () => {
  const a = seriesFromPoints([
    [10, 2],
    [30, 4],
    [50, 8],
  ])
  const b = seriesFromPoints([
    [20, 1],
    [50, 2],
  ])
  expect(pointsOf(tickRatios(a, b))).toEqual([
    [20, 2],
    [30, 4],
    [50, 4],
  ])
})

test('history ratios fill the gaps between tick ratios and nothing else', () => {
  const ticks = ratios([0, 1], [60 * MINUTE, 2])
  const history = ratios(...every(5 * MINUTE, 0, 70 * MINUTE).map((time): [number, number] => [time, 9]))
  const filled = withHistoryInGaps(ticks, history)
  expect(filled.times).toEqual(Float64Array.from(every(5 * MINUTE, 0, 70 * MINUTE)))
  expect(pointsOf(filled).filter(([, ratio]) => ratio !== 9)).toEqual(pointsOf(ticks))
})

test('a history ratio just before or after a tick is left out', () => {
  const ticks = ratios([2 * MINUTE, 1], [62 * MINUTE, 2])
  const history = ratios([0, 9], [5 * MINUTE, 9], [30 * MINUTE, 9], [60 * MINUTE, 9], [65 * MINUTE, 9])
  expect(pointsOf(withHistoryInGaps(ticks, history))).toEqual([
    [2 * MINUTE, 1],
    [30 * MINUTE, 9],
    [62 * MINUTE, 2],
  ])
})

test('a price that stays the same gives points every five minutes without new ticks', () => {
  const ticks = seriesFromPoints([[NOW, 1]])
  const held = withHeldPrice(
    ticks,
    priceRow({ usd: 1, first_seen_at: NOW, provider_time: NOW + 11 * MINUTE }),
    5 * MINUTE,
  )
  const first = (Math.floor(NOW / (5 * MINUTE)) + 1) * 5 * MINUTE
  expect([...held.times]).toEqual([NOW, first, first + 5 * MINUTE].filter((time) => time <= NOW + 11 * MINUTE))
  expect(new Set(held.prices)).toEqual(new Set([1]))
})

test('a price seen too soon for a tick counts from the time at which the price was seen', () => {
  const ticks = seriesFromPoints([[NOW, 1]])
  const held = withHeldPrice(ticks, priceRow({ usd: 2, first_seen_at: NOW + 20_000 }), 5 * MINUTE)
  expect(held).toEqual(
    seriesFromPoints([
      [NOW, 1],
      [NOW + 20_000, 2],
    ]),
  )
})

test('a tick in the future, left behind by a clock that was ahead, gives way to the current price', () => {
  const ticks = seriesFromPoints([
    [NOW, 1],
    [NOW + 2 * HOUR, 9],
  ])
  const held = withHeldPrice(ticks, priceRow({ usd: 2, first_seen_at: NOW + MINUTE }), 5 * MINUTE)
  expect(held).toEqual(
    seriesFromPoints([
      [NOW, 1],
      [NOW + MINUTE, 2],
    ]),
  )
})

test('the sparkline of a day has 96 points, one for each quarter of an hour, and ends with the newest point', () => {
  const recent = ratios(...every(75_000, NOW - 2 * DAY, NOW).map((time): [number, number] => [time, time]))
  const spark = sparkline(recent, NOW)
  expect(spark.times.length).toBe(96)
  expect(spark.times.at(-1)).toBe(NOW)
  expect(spark.times[0]).toBeGreaterThanOrEqual(NOW - DAY)
  const quarters = Array.from(spark.times, (time) => Math.floor(time / (15 * MINUTE)))
  expect(new Set(quarters).size).toBe(96)
})

test('the points of a sparkline stay where they are when a newer point comes in, but for two at most', () => {
  const all = every(75_000, NOW - DAY, NOW + HOUR).map((time): [number, number] => [time, Math.sin(time)])
  const before = sparkline(ratios(...all.filter(([time]) => time <= NOW)), NOW)
  const later = sparkline(ratios(...all.filter(([time]) => time <= NOW + 75_000)), NOW + 75_000)
  const kept = new Set(later.times)
  expect([...before.times].filter((time) => !kept.has(time)).length).toBeLessThanOrEqual(2)
})

const day = (price: number, old: number): CoinDay => ({
  price: priceRow({ usd: price, first_seen_at: NOW }),
  ticks: emptySeries(),
  history: seriesFromPoints(every(5 * MINUTE, NOW - 25 * HOUR, NOW - 5 * MINUTE).map((time) => [time, old])),
})

test('the summary has change, trend and sparkline from five-minute history alone', () => {
  const { change24h, trend, spark } = summarize(day(30, 20), day(10, 10), NOW)
  expect(change24h).toBeCloseTo(0.5, 12)
  expect(trend).toBe(0) // a flat past
  expect([spark.times.at(-1), spark.ratios.at(-1)]).toEqual([NOW, 3])
  expect(spark.ratios[0]).toBe(2)
})

test('the summary’s trend uses the ratios of the last four hours and none before', () => {
  // Quiet for four hours around 2, wild before that: heard, the wild part would make a step up of this ratio none.
  const until = (quiet: number) => (time: number) => (time >= NOW - quiet ? 2 + 0.01 * Math.sin(time) : 20 * (time % 2))
  const trendAfter = (quiet: number) => {
    const points = every(5 * MINUTE + 1, NOW - 12 * HOUR, NOW - MINUTE)
    const history = seriesFromPoints(points.map((time) => [time, until(quiet)(time)]))
    const a = { price: priceRow({ usd: 2.5, first_seen_at: NOW }), ticks: emptySeries(), history }
    const one = seriesFromPoints(points.map((time) => [time, 1]))
    return summarize(a, { price: { ...a.price, usd: 1 }, ticks: emptySeries(), history: one }, NOW).trend
  }
  expect(trendAfter(4 * HOUR)).toBe(3)
  expect(trendAfter(4 * HOUR - 6 * MINUTE)).toBe(0)
})

test('the summary of a pair three days offline shows the day before the last known price', () => {
  const fresh = summarize(day(30, 20), day(10, 10), NOW)
  expect(summarize(day(30, 20), day(10, 10), NOW + 3 * DAY)).toEqual(fresh)
})

test('the summary without a price has no change, no trend and no sparkline points', () => {
  const nothing = { price: undefined, ticks: emptySeries(), history: emptySeries() }
  const { change24h, trend, spark } = summarize(nothing, day(1, 1), NOW)
  expect([change24h, trend, spark.times.length]).toEqual([null, null, 0])
})

/** Mean 10, sample deviation 1. */
const past = [9, 11, 9, 11, 10]

test.each([
  [10, 0],
  [10.99, 0],
  [11.01, 1],
  [12.01, 2],
  [13.01, 3],
  [99, 3],
  [8.99, -1],
  [7.99, -2],
  [6.99, -3],
  [1, -3],
])('the trend of a current ratio of %d is %d steps', (current, steps) => {
  expect(trendSteps(Float64Array.of(...past, current))).toBe(steps)
})

test('the trend is null with fewer than five ratios', () => {
  expect(trendSteps(Float64Array.of(1, 2, 3, 4))).toBeNull()
  expect(trendSteps(Float64Array.of(1, 2, 3, 4, 5))).not.toBeNull()
})

test('the trend is 0 after a flat past, whatever the current ratio', () => {
  expect(trendSteps(Float64Array.of(0.1, 0.1, 0.1, 0.1, 0.1, 7))).toBe(0)
})

test('the trend looks at the latest 200 ratios only', () => {
  const old = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 1 : 1_000))
  const latest = Array.from({ length: 199 }, (_, i) => (i % 2 === 0 ? 9 : 11))
  expect(trendSteps(Float64Array.of(...old, ...latest, 13.5))).toBe(3)
  expect(trendSteps(Float64Array.of(...old, ...latest.slice(1), 13.5))).toBe(0)
})

test('the trend mirrors with the ratios and never exceeds three steps', () => {
  const ratios = fc.array(fc.double({ min: 1, max: 1e3, noNaN: true }), { minLength: 5, maxLength: 250 })
  fc.assert(
    fc.property(ratios, (list) => {
      const steps = trendSteps(Float64Array.from(list))!
      expect([-3, -2, -1, 0, 1, 2, 3]).toContain(steps)
      expect(trendSteps(Float64Array.from(list, (value) => -value))).toBe(-steps || 0)
    }),
  )
})
