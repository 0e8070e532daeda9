import { describe, expect, test } from 'vitest'
import { monthlyCalls } from '../../server/services/market/prices/call-budget'
import { demandAllowed, pollPlan } from '../../server/services/market/prices/call-pace'
import {
  chartSpan,
  composeHistory,
  gapsIn,
  isWanting,
  splitByDensity,
  wantedLevels,
} from '../../server/services/market/history/plan'
import { BUCKET_MS, DAY, type Granularity, HOUR, MINUTE } from '../../src/domain/granularity'
import { emptySeries, type Series } from '../../src/domain/series'

const NOON = Date.UTC(2026, 5, 10, 12)
const COINGECKO = { fiveMinutely: DAY, hourly: 90 * DAY, daily: 365 * DAY }
/** Points every `step` from `from` up to, not including, `until`; the price counts them. */
const series = (from: number, until: number, step: number): Series => {
  const times = Float64Array.from({ length: Math.ceil((until - from) / step) }, (_, i) => from + i * step)
  return { times, prices: times.map((_, i) => i + 1) }
}
const join = (...parts: Series[]): Series => ({
  times: Float64Array.from(parts.flatMap(({ times }) => [...times])),
  prices: Float64Array.from(parts.flatMap(({ prices }) => [...prices])),
})

const levels = (period: Parameters<typeof wantedLevels>[0]) =>
  wantedLevels(period, COINGECKO, NOON).map(({ granularity, from, until }) => [granularity, NOON - from, NOON - until])

test('a chart asks for the level of its period, and for the next coarser one beyond the provider’s reach', () => {
  expect(levels('1d')).toEqual([
    ['fiveMinutely', DAY, 0],
    ['hourly', 27 * HOUR, DAY],
  ])
  expect(levels('1m')).toEqual([['hourly', 33 * DAY, 0]])
  expect(levels('3m')).toEqual([
    ['hourly', 90 * DAY, 0],
    ['daily', 97 * DAY, 90 * DAY],
  ])
  expect(levels('1y')).toEqual([['daily', 365 * DAY, 0]])
})

test('a chart asks for a finer level where the provider lacks the level of its period', () => {
  expect(levels('7d')).toEqual([
    ['fiveMinutely', DAY, 0],
    ['hourly', 8 * DAY, DAY],
  ])
})

test('a chart asks for one level alone where that level reaches over the whole span', () => {
  expect(wantedLevels('7d', { thirtyMinutely: 9 * DAY, hourly: 90 * DAY }, NOON)).toEqual([
    { granularity: 'thirtyMinutely', from: NOON - 8 * DAY, until: NOON },
  ])
})

const span = { from: NOON - DAY, until: NOON }

test('a full span and a span with only a few missing buckets have no gaps', () => {
  expect(gapsIn(series(NOON - DAY, NOON, 5 * MINUTE).times, 'fiveMinutely', span)).toEqual([])
  expect(gapsIn(series(NOON - DAY, NOON, 20 * MINUTE).times, 'fiveMinutely', span)).toEqual([])
})

test('gaps in stored history are found at the old end, in the middle and at the young end', () => {
  const { times } = join(
    series(NOON - 20 * HOUR, NOON - 10 * HOUR, HOUR),
    series(NOON - 5 * HOUR, NOON - 4 * HOUR, HOUR),
  )
  expect(gapsIn(times, 'hourly', span)).toEqual([
    { from: NOON - DAY, until: NOON - 20 * HOUR },
    { from: NOON - 11 * HOUR, until: NOON - 5 * HOUR },
    { from: NOON - 5 * HOUR, until: NOON },
  ])
})

test('a span of three hours without any point is one gap at the hourly level and no gap at the daily level', () => {
  const short = { from: NOON - 3 * HOUR, until: NOON }
  expect(gapsIn(new Float64Array(0), 'hourly', short)).toEqual([short])
  expect(gapsIn(Float64Array.of(NOON + HOUR), 'hourly', short)).toEqual([short])
  expect(gapsIn(new Float64Array(0), 'daily', short)).toEqual([])
})

test('a gap within the span of the last provider answer is not wanting, and a gap beyond that span is', () => {
  const gaps = [{ from: NOON - DAY, until: NOON }]
  expect(isWanting(gaps, 'hourly', null)).toBe(true)
  expect(isWanting(gaps, 'hourly', { from: NOON - 90 * DAY, until: NOON - 2 * HOUR })).toBe(false)
  expect(isWanting(gaps, 'hourly', { from: NOON - 90 * DAY, until: NOON - 4 * HOUR })).toBe(true)
  expect(isWanting(gaps, 'hourly', { from: NOON - 12 * HOUR, until: NOON })).toBe(true)
  expect(isWanting([], 'hourly', null)).toBe(false)
})

test('history points sparser than their level go to the level of their spacing', () => {
  const coarse = series(NOON - 30 * DAY, NOON - 10 * DAY, DAY)
  const dense = series(NOON - 10 * DAY + 15 * HOUR, NOON, HOUR)
  const parts = splitByDensity(join(coarse, dense), 'hourly')
  expect(parts.map(({ granularity, series }) => [granularity, series.times.length])).toEqual([
    ['daily', coarse.times.length],
    ['hourly', dense.times.length],
  ])
})

test('the last sparse history point goes to the coarser level even if it is close to the first dense point', () => {
  const coarse = series(NOON - 30 * DAY, NOON - 10 * DAY, DAY)
  const dense = series(NOON - 11 * DAY + 9 * HOUR, NOON, HOUR)
  const [head, rest] = splitByDensity(join(coarse, dense), 'hourly')
  expect(head!.series.times.at(-1)).toBe(NOON - 11 * DAY)
  expect(rest!.series.times[0]).toBe(NOON - 11 * DAY + 9 * HOUR)
})

test.each(['fiveMinutely', 'thirtyMinutely', 'hourly', 'daily'] as const)(
  'a regular %s series stays in one part, with or without an outage, and so does an empty series',
  (level) => {
    const plain = series(NOON - 100 * BUCKET_MS[level] + 1234, NOON, BUCKET_MS[level])
    expect(splitByDensity(plain, level)).toEqual([{ granularity: level, series: plain }])
    const outage = join(series(NOON - 50 * DAY, NOON - 50 * DAY + 1, 1), plain)
    expect(splitByDensity(outage, level)).toHaveLength(1)
    expect(splitByDensity(emptySeries(), level)).toHaveLength(1)
  },
)

describe('composed history answer', () => {
  const levels = (own: Partial<Record<Granularity, Series>>) => ({
    fiveMinutely: emptySeries(),
    thirtyMinutely: emptySeries(),
    hourly: emptySeries(),
    daily: emptySeries(),
    ...own,
  })
  const compose = (own: Partial<Record<Granularity, Series>>, spot?: { usd: number; providerTime: number }) =>
    composeHistory(levels(own), 'thirtyMinutely', chartSpan('7d', NOON), spot, 'coingecko')

  test('a history answer has the chart’s own level, and coarser levels only before that, nearest first', () => {
    const answer = compose({
      thirtyMinutely: series(NOON - DAY, NOON, 30 * MINUTE),
      hourly: series(NOON - 3 * DAY, NOON, HOUR),
      daily: series(NOON - 8.5 * DAY, NOON, DAY),
    })
    expect(answer.data.map(([time]) => time)).toEqual([...series(NOON - DAY, NOON, 30 * MINUTE).times])
    expect(answer.backfill.map(({ granularity }) => granularity)).toEqual(['hourly', 'daily'])
    const [hourly, daily] = answer.backfill.map(({ data }) => data)
    expect([hourly!.length, hourly![0]![0], hourly!.at(-1)![0]]).toEqual([48, NOON - 3 * DAY, NOON - 25 * HOUR])
    expect(daily!.at(-1)![0]).toBeLessThan(NOON - 3 * DAY)
  })

  test('a history answer names the chart’s own level even if coarser levels have all the points', () => {
    const answer = compose({ hourly: series(NOON - 8 * DAY, NOON, HOUR) })
    expect(answer).toMatchObject({ data: [], granularity: 'thirtyMinutely', source: 'coingecko' })
    expect(answer.backfill).toHaveLength(1)
    expect(answer.backfill[0]!.data).toHaveLength(8 * 24)
  })

  test('a history answer has no backfill when the chart’s own level covers the span', () => {
    const full = {
      thirtyMinutely: series(NOON - 8 * DAY, NOON, 30 * MINUTE),
      hourly: series(NOON - 9 * DAY, NOON, HOUR),
    }
    expect(compose(full).backfill).toEqual([])
  })

  test('a history answer puts the latest price in the open bucket, unless that price is older than the history', () => {
    const own = { thirtyMinutely: series(NOON - HOUR, NOON + 1, 30 * MINUTE) }
    expect(compose(own, { usd: 77, providerTime: NOON + 4 * MINUTE }).data.at(-1)).toEqual([NOON, 77])
    expect(compose(own, { usd: 77, providerTime: NOON + 40 * MINUTE }).data.slice(-2)).toEqual([
      [NOON, 3],
      [NOON + 30 * MINUTE, 77],
    ])
    // A price that is older than the history says nothing about its end.
    expect(compose(own, { usd: 77, providerTime: NOON - 1 }).data.at(-1)).toEqual([NOON, 3])
  })

  test('a history answer fills days of server outage from a coarser level if that level has them, but not an outage of hours', () => {
    const before = series(NOON - 7 * DAY, NOON - 7 * DAY + HOUR, 30 * MINUTE)
    const after = series(NOON - DAY, NOON, 30 * MINUTE)
    const hourly = series(NOON - 8 * DAY, NOON, HOUR)
    const filled = compose({ thirtyMinutely: join(before, after), hourly })
    expect(filled.data[0]![0]).toBe(NOON - DAY)
    expect(filled.backfill[0]!.data).toHaveLength(7 * 24)
    // No widget has these coins: their rows stay.
    expect(compose({ thirtyMinutely: join(before, after) }).data[0]![0]).toBe(NOON - 7 * DAY)
    // An hour's outage is not worth six days of finer points.
    const short = join(series(NOON - 7 * DAY, NOON - 5 * HOUR, 30 * MINUTE), series(NOON - 2 * HOUR, NOON, 30 * MINUTE))
    expect(compose({ thirtyMinutely: short, hourly }).data[0]![0]).toBe(NOON - 7 * DAY)
  })
})

const start = Date.UTC(2026, 3, 1)
const days = 30

test('the monthly calls default to 10,000 without a setting, and a setting counts even with a Pro key', () => {
  expect(monthlyCalls({ COINGECKO_MONTHLY_CALLS: undefined, COINGECKO_PRO_API_KEY: undefined })).toBe(10_000)
  expect(monthlyCalls({ COINGECKO_MONTHLY_CALLS: 123, COINGECKO_PRO_API_KEY: 'key' })).toBe(123)
})

test('price polls at the computed pace stay within any month’s calls and use most of them, up to one poll per 75 seconds', () => {
  for (const total of [50, 1_000, 10_000, 100_000]) {
    let polled = 0
    for (let now = start; now < start + days * DAY;) {
      const pace = pollPlan({ total, polled, now }, undefined, 1).pace
      expect(pace).toBeGreaterThanOrEqual(75_000)
      now += pace
      polled++
    }
    expect(polled).toBeLessThanOrEqual(total)
    // It uses most of what it may, unless seventy-five seconds are enough.
    expect(polled).toBeGreaterThan(Math.min(total * 0.6, 30_000))
  }
})

test('a configured poll pace is kept until polling’s calls run low, and then slows so that they last the month', () => {
  const now = start + 10 * DAY
  expect(pollPlan({ total: 10_000, polled: 4_800, now }, 1_000, 1).pace).toBe(1_000)
  expect(pollPlan({ total: 10_000, polled: 5_000, now }, 1_000, 1).pace).toBeCloseTo((20 * DAY) / 2_000, 3)
  expect(pollPlan({ total: 10_000, polled: 7_000, now }, 1_000, 2).pace).toBeGreaterThan(20 * DAY)
})

test('five hundred held coins are all in every poll where calls suffice, else those held last in every fourth', () => {
  expect(pollPlan({ total: 500_000, polled: 0, now: start }, undefined, 2)).toEqual({ pace: 75_000, restEvery: 1 })
  const scarce = { total: 10_000, polled: 0, now: start }
  const alone = pollPlan(scarce, undefined, 1)
  expect(alone).toEqual({ pace: (days * DAY) / 7_000, restEvery: 1 })
  expect(pollPlan(scarce, undefined, 2)).toEqual({ pace: alone.pace * 1.25, restEvery: 4 })
  expect(pollPlan(scarce, 60_000, 2)).toEqual({ pace: 60_000, restEvery: 1 })
})

test('the calls for fetches on demand come day by day, a fifth at once, and those for coins of no widget are a third of them', () => {
  const on = (day: number) => {
    const at = { total: 9_000, now: start + day * DAY }
    return [demandAllowed(at, 'held'), demandAllowed(at, 'asked')]
  }
  expect([on(0), on(15), on(days - 1e-9)]).toEqual(
    [
      [541, 180],
      [1_621, 540],
      [2_700, 900],
    ].map(([held, asked]) => [expect.closeTo(held!, -1), expect.closeTo(asked!, -1)]),
  )
  expect(demandAllowed({ total: 1, now: start }, 'asked')).toBe(1)
})
