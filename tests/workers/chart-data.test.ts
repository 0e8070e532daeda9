import { expect, test } from 'vitest'
import { BUCKET_MS, DAY, GRANULARITIES, type Granularity, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import type { Period } from '../../src/domain/chart-periods'
import { randomOf } from '../../src/domain/random'
import { withWorker } from './support/open-worker'
import { COIN_A, COIN_B, type Levels, type Points, storeHistory, storePoll } from './support/store-pair'

const NOW = Date.UTC(2026, 10, 21, 12, 7)

const worker = withWorker()

const chart = (period: Period) => worker.api.chart({ coinA: COIN_A, coinB: COIN_B, period, now: NOW })
const ready = async (period: Period) => {
  const answer = await chart(period)
  if (answer.kind !== 'ready') throw new Error(`${period}: ${JSON.stringify(answer)}`)
  return answer
}
const store = (coin: CoinId, levels: Levels) => storeHistory(worker.db, coin, levels)

function level(
  granularity: Granularity,
  from: number,
  until: number,
  price = (time: number) => 100 + time / DAY,
): Points {
  const step = BUCKET_MS[granularity]
  const points: [number, number][] = []
  for (let time = Math.ceil(from / step) * step; time < until; time += step) points.push([time, price(time)])
  return points
}
const month = (price?: (time: number) => number): Levels => ({ hourly: level('hourly', NOW - 40 * DAY, NOW, price) })
const AT_FIVE = month(() => 5)

test('points that a clock which was ahead wrote into the future do not move the chart’s right end', async () => {
  const ahead = NOW + 3 * HOUR
  await store(COIN_A, { fiveMinutely: level('fiveMinutely', NOW - 3 * DAY, NOW) })
  await store(COIN_B, { fiveMinutely: level('fiveMinutely', NOW - 3 * DAY, NOW, () => 5) })
  const wanted = await chart('1d')
  expect(wanted.kind).toBe('ready')
  await store(COIN_A, { fiveMinutely: [...level('fiveMinutely', NOW - 3 * DAY, NOW), [ahead - HOUR, 1], [ahead, 1]] })
  expect(await chart('1d')).toEqual(wanted)
})

test('unordered and doubled points give the same chart as the same points in order', async () => {
  const good = month()['hourly']!
  await store(COIN_A, { hourly: good })
  await store(COIN_B, AT_FIVE)
  const wanted = await chart('1m')
  expect(wanted.kind).toBe('ready')

  const random = randomOf(3)
  const doubled = good.flatMap(([time, price]) =>
    random() < 0.2 ? [[time, 1] as const, [time, price] as const] : [[time, price] as const],
  )
  // Of two points at one time the one that stands last counts: whole pairs change places.
  const groups = good.map(([time]) => doubled.filter(([at]) => at === time))
  groups.sort(() => random() - 0.5)
  await store(COIN_A, { hourly: groups.flat() })
  expect(await chart('1m')).toEqual(wanted)
})

test.each([
  [COIN_A, COIN_B],
  [COIN_B, COIN_A],
])('points of %s with an invalid time or price are left out of the chart', async (broken, whole) => {
  const good = month()['hourly']!
  await store(broken, { hourly: good.filter((_, i) => i % 50 !== 7) })
  await store(whole, AT_FIVE)
  const wanted = await chart('1m')
  expect(wanted.kind).toBe('ready')

  const bad = [NaN, Infinity, -Infinity, -1]
  const points = good.map(([time, price], i) => [time, i % 50 === 7 ? bad[(i / 50) & 3]! : price] as const)
  await store(broken, { hourly: [[NaN, 3], ...points, [Infinity, 4]] })
  expect(await chart('1m')).toEqual(wanted)
})

test('every chart line is finite although coin A has invalid prices and coin B has prices of zero', async () => {
  await store(COIN_A, { hourly: month()['hourly']!.map(([time, price], i) => [time, i % 9 === 0 ? NaN : price]) })
  await store(COIN_B, { hourly: month()['hourly']!.map(([time, price], i) => [time, i % 7 === 0 ? 0 : price]) })
  const answer = await ready('1m')
  for (const column of [answer.times, answer.ratio, answer.ema, answer.upper, answer.lower]) {
    expect(column.every(Number.isFinite)).toBe(true)
  }
})

test('a current price of zero for coin B lets the chart end with the last ratio of the history', async () => {
  await store(COIN_A, month())
  await store(COIN_B, AT_FIVE)
  await storePoll(worker.db, { time: NOW, priceA: 10, priceB: 0 })
  const answer = await ready('1m')
  expect(answer.times.at(-1)).toBe(Math.floor(NOW / HOUR) * HOUR)
})

test('times at which coin B costs zero have no ratio in the chart', async () => {
  await store(COIN_A, month())
  await store(
    COIN_B,
    month((time) => (time > NOW - 9 * DAY && time < NOW - 8 * DAY ? 0 : 5)),
  )
  const answer = await ready('1m')
  const inside = answer.times.filter((time) => time > NOW - 9 * DAY && time < NOW - 8 * DAY)
  expect(inside.length).toBe(0)
  expect(answer.times.length).toBeGreaterThan(29 * 24)
})

const error = (message: string) => ({ kind: 'error', message })

test.each([
  ['1d', 'fiveMinutely'],
  ['7d', 'thirtyMinutely'],
  ['1m', 'hourly'],
  ['3m', 'hourly'],
  ['1y', 'daily'],
] as const)('%s chart: without a record its error names the missing level', async (period, granularity) => {
  expect(await chart(period)).toEqual(error(`Chart data (${granularity}) not available.`))
})

test('a damaged record before the start of the chart gives the error about initial average data', async () => {
  await store(COIN_A, { hourly: level('hourly', NOW - 30 * DAY, NOW), daily: level('daily', NOW - 99 * DAY, NOW) })
  await store(COIN_B, month())
  expect((await chart('1m')).kind).toBe('ready')
  await worker.db.history.update(`${COIN_A}:daily`, { prices: new Float64Array(1) })
  expect(await chart('1m')).toEqual(error('Init avg data (hourly) not available.'))
})

test('a chart reaches as far back as the coarser levels of both coins where both finer ones are short', async () => {
  const short = { hourly: level('hourly', NOW - 3 * DAY, NOW), daily: level('daily', NOW - 60 * DAY, NOW) }
  await store(COIN_A, short)
  await store(COIN_B, short)
  const answer = await ready('1m')
  expect(answer.times[0]! - answer.from).toBeLessThan(2 * DAY)
})

test('charts of a week and longer begin with the first prices of a coin that is three days old', async () => {
  const levels = (days: Readonly<Record<Granularity, number>>): Levels =>
    Object.fromEntries(GRANULARITIES.map((one) => [one, level(one, NOW - days[one] * DAY, NOW)]))
  await store(COIN_A, levels({ fiveMinutely: 3, thirtyMinutely: 3, hourly: 3, daily: 3 }))
  await store(COIN_B, levels({ fiveMinutely: 3, thirtyMinutely: 40, hourly: 120, daily: 500 }))
  await storePoll(worker.db, { time: NOW - MINUTE, priceA: 10, priceB: 2 })
  for (const period of ['7d', '1m', '3m', '1y'] as const) {
    const answer = await ready(period)
    expect(answer.times[0]! - (NOW - 3 * DAY)).toBeLessThan(DAY)
    expect(answer.ratio.at(-1)).toBe(5)
    expect(answer.ema.every(Number.isFinite)).toBe(true)
  }
})
