import { describe, expect, test } from 'vitest'
import { averageBuckets } from '../../src/domain/aggregation'
import { BUCKET_MS, DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { dayChange } from '../../src/domain/day-figures'
import { computeChart } from '../../src/domain/chart'
import { PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { joinRatios, sliceRatios } from '../../src/domain/ratio-series'
import { deviationOf } from './support/deviation-of'
import { exactDeviation, worstError } from './support/exact-bands'
import { realPricesFolder, realRecords, realSeries, warnWithoutRealPrices } from './support/real-prices'

warnWithoutRealPrices()

describe.skipIf(realPricesFolder === undefined)('real prices', () => {
  const coins = [
    ['bitcoin', 'ethereum'],
    ['ethereum', 'solana'],
    ['dogecoin', 'bitcoin'],
  ] as const

  test.each(coins)(
    '%s / %s on real prices: the chart of every period covers its whole span and ends at spot A / spot B',
    (coinA, coinB) => {
      const a = realRecords(coinA)
      const b = realRecords(coinB)
      const spot = (coin: string) => realSeries(coin, '5m')
      const priceA = spot(coinA).prices.at(-1)!
      const priceB = spot(coinB).prices.at(-1)!
      const time = spot(coinA).times.at(-1)!
      for (const period of PERIODS) {
        const result = computeChart({
          a,
          b,
          period,
          now: time,
          live: { providerTime: time, priceA, priceB, source: 'coingecko' },
        })
        if (result.kind !== 'ready') throw new Error(`${period}: ${JSON.stringify(result)}`)
        const { times, ratio: ratios, ema, upper, lower, from } = result.columns
        const rules = PERIOD_RULES[period]
        const bucket = BUCKET_MS[rules.granularity]
        expect(ratios.at(-1)).toBe(priceA / priceB)
        expect(from).toBe(time - rules.duration)
        expect(times[0]! - from).toBeLessThanOrEqual(bucket === DAY ? DAY : Math.max(bucket, HOUR))
        const widest = times.slice(1).reduce((most, at, i) => Math.max(most, at - times[i]!), 0)
        // Daily points reach further back than the hourly level of the 3m chart.
        expect(widest).toBeLessThanOrEqual(period === '3m' ? DAY : bucket)
        for (const column of [ratios, ema]) expect(column.every(Number.isFinite)).toBe(true)
        // Two months of the quarter are days, whose N ratios lie in more than three times the days of the average.
        const banded = ratios.filter((_, i) => Number.isFinite(upper[i]) && Number.isFinite(lower[i])).length
        expect(banded / ratios.length).toBeGreaterThan(period === '3m' ? 0.85 : 0.999)
        const within = ratios.filter((ratio, i) => ratio <= upper[i]! && ratio >= lower[i]!).length / banded
        expect(within).toBeGreaterThan(0.75)
      }
    },
  )

  test.each(coins)(
    '%s / %s on real prices: the 24h change of a new pair is there at every minute, from the first history that came',
    (coinA, coinB) => {
      const all = joinRatios(realSeries(coinA, '5m'), realSeries(coinB, '5m'), BUCKET_MS.fiveMinutely)
      const start = all.times.at(-1)! - HOUR
      for (let now = start; now < start + HOUR; now += MINUTE) {
        // The provider's day begins with the first point inside the 24 hours before it was asked for.
        const history = sliceRatios(all, start - DAY + 1, now)
        const current = history.ratios.at(-1)!
        const change = dayChange(current, now, [history])
        const nearest = all.times.reduce(
          (best, time, i) => (Math.abs(time - now + DAY) < Math.abs(all.times[best]! - now + DAY) ? i : best),
          0,
        )
        const truth = current / all.ratios[nearest]! - 1
        expect(Math.abs(change! - truth)).toBeLessThan(0.005)
      }
    },
  )

  test('real five-minute closes averaged into days stay within 10 % of the daily file', () => {
    const daily = realSeries('bitcoin', '1d')
    const averaged = averageBuckets(realSeries('bitcoin', '5m'), DAY)
    for (const [i, day] of averaged.times.entries()) {
      const at = daily.times.findLastIndex((time) => time <= day + DAY)
      expect(Math.abs(averaged.prices[i]! / daily.prices[at]! - 1)).toBeLessThan(0.1)
    }
  })

  test('the running deviation of a month of real five-minute ratios is exact to 1e-9', () => {
    const ratios = joinRatios(realSeries('ethereum', '5m-32d'), realSeries('bitcoin', '5m-32d'), BUCKET_MS.fiveMinutely)
    expect(ratios.times.length).toBeGreaterThan(9_000)
    expect(worstError(deviationOf(ratios.ratios, 288), exactDeviation(ratios.ratios, 288))).toBeLessThan(1e-9)
  })
})
