import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averagePoints, bandsAround } from '../../src/domain/bands'
import { DAY, HOUR } from '../../src/domain/granularity'
import { raceBands } from './support/bands-race'
import { exactAverage, exactDeviation, seedOf, worstError } from './support/exact-bands'
import { RATIO_KINDS } from './support/ratio-kinds'

const ratios = fc
  .array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 80 })
  .map((list) => Float64Array.from(list))
const initials = fc
  .array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { maxLength: 20 })
  .map((list) => Float64Array.from(list))

test('the moving average stays between the extremes of its seed and the chart’s ratios', () => {
  fc.assert(
    fc.property(initials, ratios, fc.integer({ min: 5, max: 40 }), (initial, chart, points) => {
      const all = [seedOf(initial, chart, points), ...chart]
      const slack = 1 + 1e-12
      for (const value of bandsAround(initial, chart, points).ema) {
        expect(value).toBeLessThanOrEqual(Math.max(...all) * slack)
        expect(value * slack).toBeGreaterThanOrEqual(Math.min(...all))
      }
    }),
  )
})

test('the moving average starts with a r(0) + (1 - a) times the mean of the initial-average ratios', () => {
  const { ema } = bandsAround(Float64Array.of(2, 4), Float64Array.of(10, 20), 9)
  expect(ema[0]).toBeCloseTo(0.2 * 10 + 0.8 * 3, 12)
  expect(ema[1]).toBeCloseTo(0.2 * 20 + 0.8 * ema[0]!, 12)
})

test('the moving average starts from the first N chart ratios when there are none before the chart', () => {
  const none = new Float64Array(0)
  expect(bandsAround(none, Float64Array.of(1, 2, 3, 100), 3).ema[0]).toBe(1 / 2 + 2 / 2)
  expect(bandsAround(none, Float64Array.of(1, 2), 5).ema[0]).toBeCloseTo(1 / 3 + (1.5 * 2) / 3, 12)
})

test('the N of the moving average follows the density of the chart and is at least 5', () => {
  const hourly = Float64Array.from({ length: 721 }, (_, i) => i * HOUR)
  expect(averagePoints(hourly, 3)).toBe(72)
  expect(averagePoints(hourly.slice(0, 11), 1)).toBe(24)
  expect(
    averagePoints(
      Float64Array.from({ length: 31 }, (_, i) => i * DAY),
      3,
    ),
  ).toBe(5)
  expect(averagePoints(Float64Array.of(1), 30)).toBe(5)
  expect(averagePoints(new Float64Array(0), 30)).toBe(5)
})

describe('bands', () => {
  for (const [kind, make] of Object.entries(RATIO_KINDS)) {
    test(`${kind}: moving average and bands are within 1e-9 of the exact values`, () => {
      const values = make(2_000, 7)
      const initial = values.slice(0, 100)
      const chart = values.slice(100)
      const points = 48
      const { ema, upper, lower } = bandsAround(initial, chart, points)
      const average = exactAverage(chart, points, seedOf(initial, chart, points))
      const deviation = exactDeviation(values, points).slice(100)
      const scale = average.map((value, i) => value + 2 * deviation[i]!)
      expect(worstError(ema, average)).toBeLessThan(1e-9)
      expect(worstError(upper, scale)).toBeLessThan(1e-9)
      const exactLower = average.map((value, i) => value - 2 * deviation[i]!)
      expect(worstError(lower, exactLower, scale)).toBeLessThan(1e-9)
    })
  }

  test('the bands are missing at a lone first point and lie on a flat average', () => {
    const { ema, upper, lower } = bandsAround(new Float64Array(0), new Float64Array(12).fill(0.3), 5)
    expect([upper[0], lower[0]]).toEqual([NaN, NaN])
    expect(new Set([...ema, ...upper.subarray(1), ...lower.subarray(1)])).toEqual(new Set([0.3]))
  })

  test('the first window of the bands is filled from the ratios before the chart', () => {
    const { ema, upper } = bandsAround(Float64Array.of(1, 2, 3, 4), Float64Array.of(5), 5)
    expect((upper[0]! - ema[0]!) / 2).toBeCloseTo(Math.sqrt(2.5), 12)
  })
})

// The bar itself, 100 times at 105,120 points, is a long run; this share of it leaves room for a busy machine.
test(
  'the bands are computed at least 25 times faster than by trading-signals, a share of the bar',
  { tags: ['full'] },
  () => {
    const { ours, theirs, times } = raceBands({ points: 20_000, window: 288, rounds: 3 })
    console.log(`bands: ours ${ours.toFixed(1)} ns a point, trading-signals ${theirs.toFixed(0)}`)
    expect(times).toBeGreaterThan(25)
  },
)
