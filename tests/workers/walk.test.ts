import { proxy } from 'comlink'
import { expect, test } from 'vitest'
import { dayEnd, encodeDailyMatrix, utcDayOf } from '../../src/domain/daily-matrix'
import { DAY, HOUR } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { reachOf, walkForward } from '../../src/domain/walk-forward'
import { withWorker } from './support/open-worker'
import { COIN_A, COIN_B, storeHistory } from './support/store-pair'

const NOW = Date.UTC(2026, 10, 21)
const DAYS = 365
const FIRST_DAY = utcDayOf(NOW) - DAYS
const PAIR = { coinA: COIN_A, coinB: COIN_B }

const worker = withWorker()

async function storeCloses(coins: Readonly<Record<string, (day: number) => number>>) {
  const prices = Float32Array.from(
    Object.values(coins).flatMap((priceOn) => Array.from({ length: DAYS }, (_, day) => priceOn(day))),
  )
  const ids = Object.keys(coins) as CoinId[]
  await worker.db.daily_closes.put({
    key: 'usd',
    source: 'simulated',
    matrix: encodeDailyMatrix({ source: 'simulated', firstDay: FIRST_DAY, days: DAYS, ranked: 0, coins: ids, prices }),
    etag: null,
    last_day: utcDayOf(NOW) - 1,
    fetched_at: NOW,
  })
}

const swinging = (day: number) => 100 + 20 * Math.sin(day / 9)
const flat = () => 50

/** The chart's points on the days from `day` on. */
const chartFrom = (day: number) => {
  const days = Array.from({ length: DAYS - day }, (_, index) => day + index)
  return {
    from: dayEnd(FIRST_DAY + day),
    times: Float64Array.from(days, (index) => dayEnd(FIRST_DAY + index)),
    ratios: Float64Array.from(days, (index) => Math.fround(swinging(index)) / 50),
  }
}

test('a quarter is walked with lines of the closes before it, a year from its 90th day on', async () => {
  await storeCloses({ [COIN_A]: swinging, [COIN_B]: flat })
  const rule = { thresholds: null, cost: 0.003 }
  const [quarter, year] = [chartFrom(DAYS - 90), chartFrom(0)]
  const walk = await worker.api.walk({ ...PAIR, ...rule, ...quarter, period: '3m' })
  const plan = { window: 90 * DAY, step: 30 * DAY, k: { high: 2, low: 2 }, cost: 0.003 }
  const alike = walkForward(year, { ...plan, from: quarter.from })!
  expect(walk).toMatchObject({ from: quarter.from, gain: alike.gain, swaps: alike.swaps.length, k: plan.k })
  const whole = await worker.api.walk({ ...PAIR, ...rule, ...year, period: '1y' })
  expect(whole!.from).toBe(year.from + 90 * DAY)
})

test('a month is walked with thresholds as deviations if hours before it are stored, and else a year of closes is', async () => {
  const from = NOW - 30 * DAY
  const hours = Array.from({ length: 40 * 24 }, (_, hour): [number, number] => [
    from + (hour - 240) * HOUR,
    100 + 5 * Math.sin(hour / 11),
  ])
  const month = hours.slice(240)
  const request = {
    ...PAIR,
    period: '1m' as const,
    from,
    times: Float64Array.from(month, ([time]) => time),
    ratios: Float64Array.from(month, ([, price]) => price / 50),
    thresholds: { high: 2.07, low: 1.93 },
    cost: 0,
  }
  expect(await worker.api.walk(request)).toBeNull()
  await storeHistory(worker.db, COIN_A, { hourly: hours })
  await storeHistory(worker.db, COIN_B, { hourly: hours.map(([time]) => [time, 50]) })
  const walk = (await worker.api.walk(request))!
  expect(walk.k.high).toBeCloseTo(1, 1)
  expect(walk.gain).toBeGreaterThan(0)
  await storeHistory(worker.db, COIN_A, { hourly: month })
  expect(await worker.api.walk(request)).toBeNull()

  await storeCloses({ [COIN_A]: swinging, [COIN_B]: flat })
  const year = { ...chartFrom(0), from: dayEnd(FIRST_DAY) - DAY }
  const k = reachOf(year.ratios, request.thresholds)!
  const { swaps, ...alike } = walkForward(year, { from: year.from, window: 90 * DAY, step: 30 * DAY, k, cost: 0 })!
  expect(alike.from).toBe(year.from + 90 * DAY)
  expect(await worker.api.walk(request)).toEqual({ ...alike, until: NOW, period: '1y', swaps: swaps.length, k })
})

test('all pairs are walked both ways round but pegged ones, progress is told, and a walk that the page no longer wants is given up', async () => {
  const others = Object.fromEntries([1, 2, 3].map((n) => [`coin-${n}`, (day: number) => 10 + Math.sin(day / (7 + n))]))
  await storeCloses({ one: () => 1, pegged: (day) => 1 + (day % 2) / 1e3, ...others })
  const told: number[][] = []
  const rule = { k: { high: 1, low: 1 }, cost: 0.003 }
  const walk = await worker.api.walkPairs(
    rule,
    proxy((done, total) => told.push([done, total]) > 0),
  )
  expect(told).toEqual([[0, 10]])
  expect(walk).toMatchObject({ pairs: 9, days: 275 })
  expect(walk.median).toBeGreaterThan(0)
  expect(walk.above).toBe(1)

  await storeCloses(
    Object.fromEntries(
      Array.from({ length: 16 }, (_, n) => [`coin-${n}`, (day: number) => 9 + Math.sin(day / (5 + n))]),
    ),
  )
  const asked: number[] = []
  await worker.api.walkPairs(
    rule,
    proxy((done) => asked.push(done) < 2),
  )
  expect(asked).toEqual([0, 100])
})
