import { describe, expect, test } from 'vitest'
import { type ChartColumns, computeChart } from '../../src/domain/chart'
import { BUCKET_MS, DAY, type Granularity, HOUR, MINUTE } from '../../src/domain/granularity'
import type { ChartInput } from '../../src/domain/pair-series'
import { chooseSeries, type Records } from '../../src/domain/choose-series'
import { PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { emptySeries, type Series, seriesFromPoints } from '../../src/domain/series'

const NOW = 1_800_057_600_000
const level = (
  granularity: Granularity,
  from: number,
  until: number,
  price = (time: number) => 100 + Math.sin(time),
): Series => {
  const step = BUCKET_MS[granularity]
  const points: [number, number][] = []
  for (let time = Math.ceil(from / step) * step; time < until; time += step) points.push([time, price(time)])
  return seriesFromPoints(points)
}
const chart = (input: Partial<ChartInput>) =>
  computeChart({ a: {}, b: {}, period: '7d', now: NOW, live: null, ...input })
const columnsOf = (input: Partial<ChartInput>): ChartColumns => {
  const result = chart(input)
  if (result.kind !== 'ready') throw new Error(JSON.stringify(result))
  return result.columns
}
const full = (price?: (time: number) => number): Records => ({
  fiveMinutely: level('fiveMinutely', NOW - 3 * DAY, NOW, price),
  thirtyMinutely: level('thirtyMinutely', NOW - 40 * DAY, NOW, price),
  hourly: level('hourly', NOW - 120 * DAY, NOW, price),
  daily: level('daily', NOW - 800 * DAY, NOW, price),
})

test('bands are missing where their ratios lie in more than three times the days that they are named after, as across a gap', () => {
  const broken = (price: number): Records => {
    const { times, prices } = level('thirtyMinutely', NOW - 9 * DAY, NOW, (time) => price + Math.sin(time))
    const isKept = (_: number, index: number): boolean =>
      times[index]! < NOW - 3 * DAY || times[index]! >= NOW - 5 * HOUR
    return { thirtyMinutely: { times: times.filter(isKept), prices: prices.filter(isKept) } }
  }
  const { times, upper, currentBands } = columnsOf({ a: broken(100), b: broken(7) })
  expect(currentBands).toBeNull()
  expect(times.filter((_, index) => Number.isFinite(upper[index]!)).at(-1)).toBeLessThan(NOW - 3 * DAY)
  expect(upper.filter(Number.isFinite).length).toBe(times.filter((time) => time < NOW - 3 * DAY).length)
})

test('chooseSeries takes what its own level lacks from the next coarser level that has points', () => {
  const records: Records = {
    fiveMinutely: level('fiveMinutely', NOW - 2 * HOUR, NOW),
    hourly: level('hourly', NOW - 10 * HOUR, NOW),
    daily: level('daily', NOW - 9 * DAY, NOW),
  }
  const chosen = chooseSeries(records, 'fiveMinutely', NOW - DAY, NOW - 27 * HOUR)
  if (chosen.kind !== 'series') throw new Error(chosen.kind)
  const { times, widths } = chosen.series
  expect(times.length).toBe(24 + 8 + 2)
  expect(times).toEqual(times.toSorted())
  expect([...widths].lastIndexOf(HOUR)).toBe([...widths].indexOf(5 * MINUTE) - 1)
  expect(times[times.length - 24]).toBe(NOW - 2 * HOUR)
})

test('chooseSeries does not mix coarser levels into a level that covers the span', () => {
  const chosen = chooseSeries(full(), 'hourly', NOW - 30 * DAY, NOW - 33 * DAY)
  expect(chosen.kind === 'series' && new Set(chosen.series.widths)).toEqual(new Set([HOUR]))
})

test('chooseSeries tells an unreadable record that the chart needs from a record that only the average needs', () => {
  const soon: Records = { fiveMinutely: level('fiveMinutely', NOW - 2 * HOUR, NOW), thirtyMinutely: 'unreadable' }
  expect(chooseSeries(soon, 'fiveMinutely', NOW - DAY, NOW - 27 * HOUR).kind).toBe('no-chart-record')
  const day: Records = { fiveMinutely: level('fiveMinutely', NOW - DAY, NOW), thirtyMinutely: 'unreadable' }
  expect(chooseSeries(day, 'fiveMinutely', NOW - DAY, NOW - 27 * HOUR).kind).toBe('no-average-record')
  const all: Records = { ...full(), hourly: 'unreadable' }
  expect(chooseSeries(all, 'fiveMinutely', NOW - DAY, NOW - 27 * HOUR).kind).toBe('series')
  expect(chooseSeries({}, 'fiveMinutely', NOW - DAY, NOW - 27 * HOUR).kind).toBe('no-chart-record')
})

test.each(PERIODS)('%s: the chart has columns of equal length over the whole period', (period) => {
  const columns = columnsOf({ a: full(), b: full((time) => 7 + Math.cos(time)), period })
  const rules = PERIOD_RULES[period]
  const bucket = BUCKET_MS[rules.granularity]
  for (const column of [columns.ratio, columns.ema, columns.upper, columns.lower]) {
    expect(column.length).toBe(columns.times.length)
  }
  const end = columns.from + rules.duration
  expect(NOW - end).toBeLessThanOrEqual(bucket)
  expect(columns.times.length).toBeGreaterThanOrEqual(rules.duration / bucket)
  expect(columns.times[0]! - columns.from).toBeLessThan(bucket)
  expect(columns.averagePoints).toBe(Math.round((rules.averageDays * DAY) / bucket))
  // The window before the chart has filled the first deviations.
  for (const column of [columns.ema, columns.upper, columns.lower]) expect(column.every(Number.isFinite)).toBe(true)
  expect(columns.currentBands).toEqual({ high: columns.upper.at(-1), low: columns.lower.at(-1) })
})

test('the chart ends with the live point, which replaces newer points of the open bucket', () => {
  const live = { providerTime: NOW - 10 * MINUTE, priceA: 30, priceB: 4, source: 'simulated' }
  const a = { ...full(), fiveMinutely: level('fiveMinutely', NOW - 2 * DAY, NOW - 5 * MINUTE) }
  const columns = columnsOf({ a, b: full(), period: '1d', live })
  expect([columns.times.at(-1), columns.ratio.at(-1)]).toEqual([NOW - 10 * MINUTE, 7.5])
  expect(columns.times.at(-2)).toBe(NOW - 15 * MINUTE)
})

test('the chart does not use live prices that are much older than its history', () => {
  const live = { providerTime: NOW - 5 * HOUR, priceA: 30, priceB: 4, source: 'simulated' }
  const columns = columnsOf({ a: full(), b: full(), period: '1d', live })
  expect(columns.times.at(-1)).toBe(NOW - 5 * MINUTE)
  expect(columns.ratio.at(-1)).toBe(1)
})

test('the chart of a device that was offline for a week shows the last known day', () => {
  const online = columnsOf({ a: full(), b: full(), period: '1d', now: NOW })
  expect(columnsOf({ a: full(), b: full(), period: '1d', now: NOW + 7 * DAY })).toEqual(online)
})

test('the chart of a young coin needs no window before its first point', () => {
  const young: Records = { thirtyMinutely: level('thirtyMinutely', NOW - 2 * DAY, NOW, () => 5) }
  const columns = columnsOf({ a: young, b: full(() => 10), period: '7d' })
  expect(columns.times[0]).toBe(NOW - 2 * DAY)
  expect(new Set(columns.ema)).toEqual(new Set([0.5]))
  expect(columns.upper[0]).toBeNaN()
  expect(columns.currentBands).toEqual({ high: 0.5, low: 0.5 })
})

test('a chart of one point has no current bands and no estimated period', () => {
  const lone: Records = { hourly: seriesFromPoints([[NOW - HOUR, 5]]) }
  const columns = columnsOf({ a: lone, b: full(), period: '1m' })
  expect(columns.times.length).toBe(1)
  expect([columns.currentBands, columns.estimatedPeriod]).toEqual([null, null])
})

test('the chart of a slow sine shows the sine’s period as estimated period', () => {
  const sine = (time: number) => 100 * (1 + 0.05 * Math.sin((2 * Math.PI * time) / (5 * DAY)))
  const columns = columnsOf({ a: full(sine), b: full(() => 1), period: '1m' })
  expect(columns.estimatedPeriod! / (5 * DAY)).toBeCloseTo(1, 1)
})

describe('chart errors', () => {
  const nothing: Records = { hourly: emptySeries(), daily: emptySeries() }
  const old: Records = { hourly: level('hourly', NOW - 90 * DAY, NOW - 60 * DAY) }
  const error = (message: string) => ({ kind: 'error', message })

  test('a missing or unreadable record gives the chart error that names the level', () => {
    expect(chart({ a: full(), b: {}, period: '1m' })).toEqual(error('Chart data (hourly) not available.'))
    expect(chart({ a: {}, b: full(), period: '7d' })).toEqual(error('Chart data (thirtyMinutely) not available.'))
    const damaged: Records = { daily: 'unreadable' }
    expect(chart({ a: full(), b: damaged, period: '1y' })).toEqual(error('Chart data (daily) not available.'))
    const short: Records = { hourly: level('hourly', NOW - 30 * DAY, NOW), daily: 'unreadable' }
    expect(chart({ a: full(), b: short, period: '1m' })).toEqual(error('Init avg data (hourly) not available.'))
  })

  test('a chart of records without points is empty', () => {
    expect(chart({ a: full(), b: nothing, period: '1m' })).toEqual({ kind: 'empty' })
    expect(chart({ a: nothing, b: nothing, period: '1m' })).toEqual({ kind: 'empty' })
  })

  test('a chart without points of one coin in the period gives the error about no data in the period', () => {
    expect(chart({ a: full(), b: old, period: '1m' })).toEqual(error('No chart data in selected period.'))
  })

  test('a chart of points without a single ratio gives the error about chart ratios, also with live prices', () => {
    const free = full(() => 0)
    expect(chart({ a: full(), b: free, period: '1m' })).toEqual(error('Could not calculate chart ratios.'))
    const live = { providerTime: NOW, priceA: 1, priceB: 1, source: 'simulated' }
    expect(chart({ a: full(), b: free, period: '1m', live })).toEqual(error('Could not calculate chart ratios.'))
  })
})
