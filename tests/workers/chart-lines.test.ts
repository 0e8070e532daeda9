import { describe, expect, test } from 'vitest'
import { simulatedPrices } from '../../server/adapters/market-data/simulated/prices'
import { BUCKET_MS, DAY, GRANULARITIES, HOUR, MINUTE } from '../../src/domain/granularity'
import { PERIODS } from '../../src/domain/chart-periods'
import { randomOf } from '../../src/domain/random'
import { realPricesFolder, realRecords, realSeries, warnWithoutRealPrices } from '../domain/support/real-prices'
import { withWorker } from './support/open-worker'
import { type SlowChart, slowChart } from './support/slow-chart'
import { COIN_A, COIN_B, type Levels, type Points, type Poll, storeHistory, storePoll } from './support/store-pair'

warnWithoutRealPrices()

const worker = withWorker()

const LINES = ['ratio', 'ema', 'upper', 'lower'] as const

/** Every period's chart through the worker's call, held to the slow one within 1e-9 of the ratio's or its average's size. */
async function expectRight(a: Levels, b: Levels, live: Poll, now: number): Promise<SlowChart[]> {
  await storeHistory(worker.db, COIN_A, a)
  await storeHistory(worker.db, COIN_B, b)
  await storePoll(worker.db, live)
  const charts: SlowChart[] = []
  for (const period of PERIODS) {
    const found = await worker.api.chart({ coinA: COIN_A, coinB: COIN_B, period, now })
    if (found.kind !== 'ready') throw new Error(`${period}: ${JSON.stringify(found)}`)
    const wanted = slowChart({ a, b, period, now, live })
    expect([...found.times], period).toEqual(wanted.times)
    expect(found.averagePoints, period).toBe(wanted.averagePoints)
    expect(found.estimatedPeriod, period).toBe(wanted.estimatedPeriod)
    for (const line of LINES) {
      const worst = wanted[line].reduce((most, value, i) => {
        const error = Math.abs(found[line][i]! - value) / Math.max(wanted.ratio[i]!, wanted.ema[i]!)
        return Number.isNaN(value) === Number.isNaN(found[line][i]) ? Math.max(most, error || 0) : Infinity
      }, 0)
      expect(worst, `${period} ${line}`).toBeLessThan(1e-9)
    }
    charts.push(wanted)
  }
  return charts
}

describe.skipIf(realPricesFolder === undefined)('charts of real prices', () => {
  const pairs = [
    ['bitcoin', 'ethereum'],
    ['ethereum', 'solana'],
    ['dogecoin', 'bitcoin'],
    ['pepe', 'bitcoin'],
    ['bonk', 'pepe'],
    ['hyperliquid', 'zcash'],
  ] as const

  test.each(pairs)('%s / %s on real prices: lines and estimated period match the reference', async (coinA, coinB) => {
    const levels = (coin: string): Levels =>
      Object.fromEntries(
        Object.entries(realRecords(coin)).map(([level, series]) => {
          if (series === 'unreadable') throw new Error(`${coin} ${level} is unreadable`)
          return [level, Array.from(series.times, (time, i) => [time, series.prices[i]!] as const)]
        }),
      )
    const spot = (coin: string) => realSeries(coin, '5m')
    const time = Math.min(spot(coinA).times.at(-1)!, spot(coinB).times.at(-1)!)
    const live = { time, priceA: spot(coinA).prices.at(-1)!, priceB: spot(coinB).prices.at(-1)! }
    const charts = await expectRight(levels(coinA), levels(coinB), live, time + 30_000)
    expect(charts.map(({ ratio }) => ratio.at(-1))).toEqual(PERIODS.map(() => live.priceA / live.priceB))
  })
})

const NOW = Date.UTC(2026, 10, 21, 12, 7)

/** A coin's four levels as the app keeps them; `beside` moves each point by up to that share of its bucket. */
function simulated(id: string, span: number, beside: number, random: () => number): Levels {
  const SPANS = { fiveMinutely: 3 * DAY, thirtyMinutely: 40 * DAY, hourly: 120 * DAY, daily: 500 * DAY }
  return Object.fromEntries(
    GRANULARITIES.map((granularity) => {
      const step = BUCKET_MS[granularity]
      const reach = Math.min(span, SPANS[granularity])
      const times: number[] = []
      for (let time = Math.ceil((NOW - reach) / step) * step; time <= NOW; time += step) {
        times.push(time + Math.floor(random() * beside * step))
      }
      const prices = simulatedPrices(id, Float64Array.from(times))!
      return [granularity, times.map((time, i) => [time, prices[i]!] as const)]
    }),
  )
}
const spot = (id: string, time: number) => simulatedPrices(id, Float64Array.of(time))![0]!
const pollAt = (idA: string, idB: string, time: number): Poll => ({
  time,
  priceA: spot(idA, time),
  priceB: spot(idB, time),
})

test.each([
  ['bitcoin', 'ethereum', 0],
  ['ethereum', 'bitcoin', 0.4],
  ['tether', 'solana', 0.9],
] as const)(
  '%s / %s with points up to %d of a bucket off the grid: chart lines and estimated period match the slow reference',
  async (idA, idB, beside) => {
    const random = randomOf(7)
    const [a, b] = [simulated(idA, Infinity, beside, random), simulated(idB, Infinity, beside, random)]
    const charts = await expectRight(a, b, pollAt(idA, idB, NOW + 40_000), NOW + 41_000)
    expect(charts.filter(({ estimatedPeriod }) => estimatedPeriod !== null).length).toBeGreaterThan(1)
  },
)

test.each(['A', 'B'])(
  'the charts of a pair whose coin %s is three days old match the slow reference',
  async (which) => {
    const random = randomOf(11)
    const [old, young] = [simulated('bitcoin', Infinity, 0, random), simulated('solana', 3 * DAY, 0, random)]
    const charts = await (which === 'A'
      ? expectRight(young, old, pollAt('solana', 'bitcoin', NOW), NOW)
      : expectRight(old, young, pollAt('bitcoin', 'solana', NOW), NOW))
    expect(charts[0]!.times.length).toBeGreaterThan(280)
    for (const { times } of charts) expect(times[0]).toBeGreaterThanOrEqual(NOW - 3 * DAY - DAY)
  },
)

test('the charts of records with holes and prices of zero match the slow reference', async () => {
  const random = randomOf(13)
  const patchy = (levels: Levels): Levels =>
    Object.fromEntries(
      Object.entries(levels).map(([level, points]): [string, Points] => {
        let hole = 0
        const kept = points.filter(() => {
          if (random() < 0.02) hole = Math.ceil(random() * 9)
          return hole-- <= 0
        })
        return [level, kept.map(([time, price]) => [time, random() < 0.01 ? 0 : price])]
      }),
    )
  const [a, b] = [simulated('bitcoin', Infinity, 0.3, random), simulated('ethereum', Infinity, 0.3, random)]
  await expectRight(patchy(a), patchy(b), pollAt('bitcoin', 'ethereum', NOW + MINUTE), NOW + MINUTE)
})

test('the chart of a coin that stopped trading ends with its last prices and matches the slow reference', async () => {
  const random = randomOf(17)
  const a = simulated('bitcoin', Infinity, 0, random)
  const b = Object.fromEntries(
    Object.entries(simulated('solana', Infinity, 0, random)).map(([level, points]) => [
      level,
      points.filter(([time]) => time < NOW - 5 * HOUR),
    ]),
  )
  const charts = await expectRight(a, b, pollAt('bitcoin', 'solana', NOW - 5 * HOUR), NOW)
  expect(charts[0]!.times.at(-1)).toBeLessThanOrEqual(NOW - 5 * HOUR + 5 * MINUTE)
})
