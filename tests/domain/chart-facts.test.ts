import { expect, it } from 'vitest'
import { currentRatio, lastRatio, periodChange, shortSince, staleness } from '../../src/domain/chart-facts'
import { chartOf } from '../ui/chart/charts'

const NOW = Date.UTC(2026, 10, 21, 12)
const MINUTE = 60_000

it('chart figures are the last ratio and the relative change from the first known ratio', () => {
  expect(lastRatio(chartOf([2, 3]))).toBe(3)
  expect(periodChange(chartOf([2, 3]), 3)).toBe(0.5)
  expect(periodChange({ ...chartOf([1, 2, 3]), ratio: Float64Array.of(NaN, 2, 3) }, 3)).toBe(0.5)
})

it('chart figures are null rather than infinite, and null for a chart without points', () => {
  expect(periodChange(chartOf([0, 3]), 3)).toBeNull()
  expect(lastRatio(chartOf([]))).toBeNull()
  expect(periodChange(chartOf([]), null)).toBeNull()
})

it('chart figures show the latest prices at once, unless the chart ends with newer history', () => {
  const chart = chartOf([2, 3], NOW)
  const live = (time: number, priceB = 2) => ({ providerTime: time, priceA: 8, priceB, source: 'simulated' })
  expect(currentRatio(chart, live(NOW + 1))).toBe(4)
  expect(currentRatio(null, live(NOW))).toBe(4)
  expect(currentRatio(chart, live(NOW))).toBe(3)
  expect(currentRatio(chart, live(NOW + 1, 0))).toBe(3)
  expect(currentRatio(chart, null)).toBe(3)
  expect(currentRatio(null, null)).toBeNull()
})

it('the chart mentions no age while its newest price is nine minutes old', () => {
  // A server with a small budget of calls asks its provider every few minutes.
  expect(staleness(chartOf([1, 2], NOW - 9 * MINUTE), false, NOW)).toBeNull()
})

it('the chart says how old its data is when prices have stopped coming, also while a fetch is under way', () => {
  expect(staleness(chartOf([1, 2], NOW - 125 * MINUTE), false, NOW)).toBe('Data from 2 h ago')
})

it('the chart says how old its history is only when the fetch failed and the stored history is old', () => {
  const chart = { ...chartOf([1, 2], NOW), fetchedAt: NOW - 26 * 60 * MINUTE }
  expect(staleness(chart, true, NOW)).toBe('History from 1 day ago')
  expect(staleness(chart, false, NOW)).toBeNull()
  expect(staleness({ ...chart, fetchedAt: NOW }, true, NOW)).toBeNull()
})

it('a chart whose data does not reach back to the start of its period knows the time of its first point', () => {
  const chart = chartOf([1, 2, 3], NOW)
  expect(shortSince({ ...chart, from: NOW - 365 * 24 * 60 * MINUTE })).toBe(chart.times[0])
  expect(shortSince(chart)).toBeNull()
  expect(shortSince(chartOf([]))).toBeNull()
})
