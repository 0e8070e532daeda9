import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { PERIODS, type Period } from '../../src/domain/chart-periods'
import { withWorker } from './support/open-worker'
import { COIN_A, COIN_B, type Points, storeHistory, storePoll } from './support/store-pair'

const NOW = Date.UTC(2026, 10, 21, 12, 7)

const worker = withWorker()

const request = (period: Period) => ({ coinA: COIN_A, coinB: COIN_B, period, now: NOW })
const csv = (period: Period) => worker.api.csv({ ...request(period), symbolA: 'btc', symbolB: 'eth' })

/** A point every half hour, of which the last is the newest. */
const halfHours = (count: number, price: (i: number) => number, beside = 0): Points =>
  Array.from({ length: count }, (_, i) => [
    Math.floor(NOW / HOUR) * HOUR - (count - 1 - i) * 30 * MINUTE + beside,
    price(i),
  ])

async function rowsOf(blob: Blob): Promise<{ time: number; a: number; b: number | null }[]> {
  const lines = (await blob.text()).trimEnd().split('\n')
  expect(lines[0]).toBe('Timestamp,BTC Price (USD),ETH Price (USD)')
  return lines.slice(1).map((line) => {
    const [time, a, b] = line.split(',')
    return { time: Date.parse(time!), a: Number(a), b: b === '' ? null : Number(b) }
  })
}

test('CSV rows stand at the times of coin A inside the period, with B interpolated, and end with the live prices', async () => {
  const a = halfHours(500, (i) => 100 + i)
  await storeHistory(worker.db, COIN_A, { thirtyMinutely: a })
  await storeHistory(worker.db, COIN_B, { thirtyMinutely: halfHours(500, (i) => 10 + i, -15 * MINUTE) })
  await storePoll(worker.db, { time: NOW - MINUTE, priceA: 777, priceB: 7 })
  const blob = await csv('7d')
  expect(blob.type).toBe('text/csv;charset=utf-8')
  const rows = await rowsOf(blob)

  const inside = a.filter(([time]) => time >= NOW - MINUTE - 7 * DAY)
  expect(rows.map(({ time, a }) => [time, a])).toEqual([...inside, [NOW - MINUTE, 777]])
  // A quarter of an hour later B is half way to its next price; after its last point that one counts.
  const before = 500 - inside.length
  expect(rows.slice(0, -2).map(({ b }) => b)).toEqual(inside.slice(0, -1).map((_, i) => 10.5 + before + i))
  expect(rows.slice(-2).map(({ b }) => b)).toEqual([10 + 499, 7])
})

test.each(PERIODS)('%s: the CSV rows have the times and ratios of the chart’s points', async (period) => {
  const levels = (factor: number) => ({
    fiveMinutely: halfHours(100, (i) => factor * (1 + (i % 7))),
    thirtyMinutely: halfHours(800, (i) => factor * (1 + (i % 5))),
    hourly: halfHours(2_000, (i) => factor * (1 + (i % 3))),
    daily: halfHours(9_000, () => factor),
  })
  await storeHistory(worker.db, COIN_A, levels(60))
  await storeHistory(worker.db, COIN_B, levels(3))
  await storePoll(worker.db, { time: NOW, priceA: 61, priceB: 3 })
  const chart = await worker.api.chart(request(period))
  if (chart.kind !== 'ready') throw new Error(JSON.stringify(chart))
  const rows = await rowsOf(await csv(period))
  expect(rows.map(({ time }) => time)).toEqual([...chart.times])
  expect(rows.map(({ a, b }) => a / b!)).toEqual([...chart.ratio])
})

test('an unknown price of coin B is an empty CSV cell', async () => {
  await storeHistory(worker.db, COIN_A, { thirtyMinutely: halfHours(400, () => 1) })
  await storeHistory(worker.db, COIN_B, {
    thirtyMinutely: halfHours(400, () => 2).filter((_, i) => i < 300 || i > 320),
  })
  const rows = await rowsOf(await csv('7d'))
  expect(rows.filter(({ b }) => b === null)).toHaveLength(21)
  expect(new Set(rows.map(({ b }) => b))).toEqual(new Set([2, null]))
})

test('a CSV export without prices is refused with the reason', async () => {
  await expect(csv('1m')).rejects.toThrow('Chart data (hourly) not available.')
  await storeHistory(worker.db, COIN_A, { hourly: halfHours(99, () => 1) })
  await storeHistory(worker.db, COIN_B, { hourly: [] })
  await expect(csv('1m')).rejects.toThrow('No ratio data available to display for this period')
})
