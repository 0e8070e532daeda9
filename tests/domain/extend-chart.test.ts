import { describe, expect, test } from 'vitest'
import { type ChartColumns, computeChart } from '../../src/domain/chart'
import { extendChart } from '../../src/domain/extend-chart'
import { BUCKET_MS, DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { LivePrices } from '../../src/domain/live-prices'
import { type ChartInput } from '../../src/domain/pair-series'
import { PERIOD_RULES, type Period, PERIODS } from '../../src/domain/period'
import type { Records } from '../../src/domain/period-series'
import { seriesFromPoints } from '../../src/domain/series'
import { worstError } from './support/exact-bands'
import { patchyRecords } from './support/patchy-records'
import { randomOf } from './support/random'

const NOW = 1_800_057_600_000 + 7 * MINUTE
const COLUMNS = ['ratio', 'ema', 'upper', 'lower'] as const

function columnsOf(input: ChartInput): ChartColumns | null {
  const result = computeChart(input)
  return result.kind === 'ready' ? result.columns : null
}

/** Both say the same: every line within 1e-9 of the ratio's and the band's size. */
function expectSame(found: ChartColumns, wanted: ChartColumns): void {
  expect(found.times).toEqual(wanted.times)
  const size = wanted.ratio.map((ratio, i) => Math.abs(ratio) + (Math.abs(wanted.upper[i]! - wanted.ema[i]!) || 0))
  for (const column of COLUMNS) expect(worstError(found[column], wanted[column], size)).toBeLessThan(1e-9)
  expect(found.from).toBe(wanted.from)
  expect(found.averagePoints).toBe(wanted.averagePoints)
  expect(found.estimatedPeriod).toBe(wanted.estimatedPeriod)
  expect(found.currentBands === null).toBe(wanted.currentBands === null)
  if (found.currentBands !== null) {
    expect(found.currentBands).toEqual({ high: found.upper.at(-1), low: found.lower.at(-1) })
  }
}

describe('extended chart against computed chart', () => {
  const SEEDS = 120

  test.each(PERIODS)('%s: an extended chart equals the chart computed anew from patchy records', (period) => {
    const bucket = BUCKET_MS[PERIOD_RULES[period].granularity]
    let [moved, refused] = [0, 0]
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomOf(seed * 7 + PERIODS.indexOf(period))
      const [a, b] = [patchyRecords(period, NOW, random), patchyRecords(period, NOW, random)]
      const at = (base: LivePrices | null): LivePrices => ({
        time:
          (base?.time ?? NOW) +
          Math.floor((random() - (base === null ? 0.7 : 0.2)) * random() ** 2 * bucket * (base === null ? 2 : 1)),
        priceA: (base?.priceA ?? 5) * (0.95 + random() * 0.1),
        priceB: random() < 0.05 ? 0 : (base?.priceB || 3) * (0.95 + random() * 0.1),
        source: 'simulated',
      })
      let live = at(null)
      let chart = columnsOf({ a, b, period, now: NOW, live })
      for (let poll = 0; chart !== null && poll < 6; poll++) {
        live = at(live)
        const now = live.time + Math.floor(random() * 90_000) - 10_000
        const anew = columnsOf({ a, b, period, now, live })
        const extended = extendChart(chart, live, now)
        if (extended === null) refused++
        else {
          moved++
          expect(anew, `seed ${seed}`).not.toBeNull()
          expectSame(extended, anew!)
        }
        chart = extended ?? anew
      }
    }
    expect(moved).toBeGreaterThan(SEEDS)
    expect(refused).toBeGreaterThan(0)
  })
})

describe('last point of an undisturbed chart', () => {
  const records = (price: (time: number) => number): Records => {
    const points: [number, number][] = []
    for (let time = NOW - 8 * DAY; time <= NOW; time += 30 * MINUTE) points.push([time, price(time)])
    return { thirtyMinutely: seriesFromPoints(points) }
  }
  const a = records((time) => 100 + 10 * Math.sin(time / DAY))
  const flat = records(() => 4)
  const live = (time: number, priceA: number, priceB = 4): LivePrices => ({ time, priceA, priceB, source: 'simulated' })
  const start = (period: Period = '7d', first: Records = a) =>
    columnsOf({ a: first, b: flat, period, now: NOW + MINUTE, live: live(NOW + MINUTE, 100) })!

  test('the last chart point moves with every poll until a point leaves at the other end', () => {
    let chart = start()
    let moves = 0
    for (let time = NOW + 2 * MINUTE; ; time += MINUTE) {
      const next = extendChart(chart, live(time, 100 + (time - NOW) / MINUTE), time)
      if (next === null) break
      chart = next
      moves++
      expect(chart.ratio.at(-1)).toBe((100 + (time - NOW) / MINUTE) / 4)
    }
    expect(moves).toBe(29)
  })

  test('extending a chart leaves the chart that was passed in unchanged', () => {
    const chart = start()
    const copy = structuredClone(chart)
    extendChart(chart, live(NOW + 2 * MINUTE, 200), NOW + 2 * MINUTE)
    expect(chart).toEqual(copy)
  })

  test('the extended chart of a flat pair stays exactly flat', () => {
    const chart = extendChart(
      start(
        '7d',
        records(() => 100),
      ),
      live(NOW + 2 * MINUTE, 100),
      NOW + 2 * MINUTE,
    )!
    for (const column of COLUMNS) expect(new Set(chart[column])).toEqual(new Set([25]))
  })

  test('extendChart returns null when new prices have no place in the chart, or the clock was set back', () => {
    const [time, now] = [NOW + 2 * MINUTE, NOW + 2 * MINUTE]
    const chart = start()
    const refused = (prices: LivePrices, at = now) => expect(extendChart(chart, prices, at)).toBeNull()
    refused(live(time, 100, 0))
    refused(live(NOW - MINUTE, 100))
    refused({ ...live(time, 100), source: 'coingecko' })
    // A clock that was set back would bring back points at the old end.
    refused(live(time, 100), NOW - HOUR)
    expect(extendChart({ ...chart, live: null }, live(time, 100), now)).toBeNull()
    expect(extendChart(chart, live(time, 100), now)).not.toBeNull()
  })

  test('extendChart accepts older prices only within a bucket of the newest history point', () => {
    const end = a.thirtyMinutely === 'unreadable' ? NaN : a.thirtyMinutely!.times.at(-1)!
    const before = (minutes: number) => live(end - minutes * MINUTE, 100)
    const chartOf = (first: Records) =>
      columnsOf({ a: first, b: flat, period: '7d', now: end + MINUTE, live: before(10) })!
    const moved = (first: Records, minutes: number) => extendChart(chartOf(first), before(minutes), end + MINUTE)
    expect(moved(a, 20)).not.toBeNull()
    // There is a point half an hour before the end.
    expect(moved(a, 31)).toBeNull()
    // And where there is none, prices older than the newest history by more than a bucket have no place.
    const points = (minutes: number) => [end - minutes * MINUTE, 100] as const
    const holed: Records = { thirtyMinutely: seriesFromPoints([...Array.from({ length: 60 }, (_, i) => points(30 * (65 - i))), points(0)]) } // prettier-ignore
    expect(moved(holed, 20)).not.toBeNull()
    expect(moved(holed, 31)).toBeNull()
  })

  test('extendChart returns null once the point that keeps a coarser level out has left the window', () => {
    const [from, averageFrom] = [NOW - 7 * DAY, NOW - 8 * DAY]
    const every = (step: number, start: number): [number, number][] =>
      Array.from({ length: Math.ceil((NOW - start) / step) }, (_, i) => [start + i * step, 100 + (i % 7)])
    const first: Records = {
      thirtyMinutely: seriesFromPoints([[averageFrom - 10 * MINUTE, 100], ...every(30 * MINUTE, from - DAY / 2 - MINUTE)]), // prettier-ignore
      hourly: seriesFromPoints(every(HOUR, averageFrom - DAY)),
    }
    const second: Records = { thirtyMinutely: seriesFromPoints(every(30 * MINUTE, averageFrom - DAY - MINUTE)) }
    const at = (minutes: number) => ({ now: NOW + minutes * MINUTE, live: live(NOW + minutes * MINUTE, 100, 100) })
    const chart = columnsOf({ a: first, b: second, period: '7d', ...at(0) })!
    for (const minutes of [19, 21]) {
      const anew = columnsOf({ a: first, b: second, period: '7d', ...at(minutes) })!
      const extended = extendChart(chart, at(minutes).live, at(minutes).now)
      if (minutes === 19) expectSame(extended!, anew)
      else expect(extended).toBeNull()
    }
  })

  test('a chart has no live slot when history is newer than the prices, nor with the first points of a young coin', () => {
    const old = columnsOf({ a, b: flat, period: '7d', now: NOW, live: live(NOW - DAY, 100) })!
    expect(old.live).toBeNull()
    const times = [NOW - 90 * MINUTE, NOW - HOUR, NOW - 30 * MINUTE]
    const young: Records = { thirtyMinutely: seriesFromPoints(times.map((time) => [time, 3])) }
    expect(start('7d', young).live).toBeNull()
  })
})
