import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayScale, placeOnRange, rangePlace, rangeScale } from '../../src/domain/range-scale'
import { DAY, HOUR } from '../../src/domain/granularity'

const ratio = fc.double({ min: 1e-9, max: 1e9, noNaN: true })

test('there is no scale without ratios of the day', () => {
  expect(dayScale(new Float64Array(0))).toBeNull()
})

test('every ratio has a place within the range bar, and a larger ratio is never further left', () => {
  fc.assert(
    fc.property(fc.array(ratio, { minLength: 1 }), ratio, ratio, (day, one, other) => {
      const scale = dayScale(Float64Array.from(day))!
      const [left, right] = [Math.min(one, other), Math.max(one, other)].map((value) => placeOnRange(scale, value))
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(1)
      expect(left).toBeLessThanOrEqual(right!)
    }),
  )
})

test('the ends of a range scale leave a tenth of the bar free on either side', () => {
  fc.assert(
    fc.property(ratio, ratio, (a, b) => {
      const scale = rangeScale('days', Math.min(a, b), Math.max(a, b))
      expect(placeOnRange(scale, scale.from)).toBeCloseTo(0.1, 9)
      expect(placeOnRange(scale, scale.to)).toBeCloseTo(0.9, 9)
    }),
  )
})

const NOW = Date.UTC(2026, 0, 15, 12)

/** One point an hour over so many days up to now; `at` says the ratio of an age in days. */
function hourly(days: number, at: (age: number) => number) {
  const count = days * 24
  const times = Float64Array.from({ length: count }, (_, index) => NOW - (count - index) * HOUR)
  return { times, ratios: times.map((time) => at((NOW - time) / DAY)) }
}

test('a ratio above all closing ratios of 90 days closed lower on all 90 of them, and is the high itself', () => {
  expect(
    rangePlace(
      hourly(100, (age) => 10 - age / 100),
      20,
      NOW,
    ),
  ).toMatchObject({ days: 90, below: 90, high: 20 })
})

test('a day counts as lower by the ratio at which it closed, not by its lowest', () => {
  // Falls to 1 at noon of each day and closes at 5.
  const series = hourly(100, (age) => (Math.abs((age % 1) - 0) < 0.01 ? 1 : 5))
  expect(rangePlace(series, 3, NOW)).toMatchObject({ days: 90, below: 0, low: 1, high: 5, median: 5 })
})

test('a day that closed at the present ratio counts half, as among the closes of a card', () => {
  const place = rangePlace(
    hourly(100, (age) => (age < 45.5 ? 3 : 2)),
    3,
    NOW,
  )
  expect(place).toMatchObject({ days: 90, below: 67.5 })
})

test('points older than 90 days and the present day count neither for the rank nor for the range', () => {
  const series = hourly(120, (age) => (age > 90 ? 100 : age < 0.5 ? 7 : 5))
  expect(rangePlace(series, 6, NOW)).toMatchObject({ days: 90, below: 90, low: 5, high: 7 })
})

test('a median of an even number of ratios lies between the two in the middle', () => {
  const { times, ratios } = hourly(90, () => 1)
  ratios.fill(3, ratios.length / 2)
  // With the present ratio, as many are 1 as are 3.
  const place = rangePlace({ times: times.subarray(0, -1), ratios: ratios.subarray(0, -1) }, 3, NOW)
  expect(place?.median).toBe(2)
})

test('nothing is said of 90 days when more than five of them are missing', () => {
  expect(
    rangePlace(
      hourly(84, () => 1),
      1,
      NOW,
    ),
  ).toBeNull()
  expect(rangePlace({ times: new Float64Array(), ratios: new Float64Array() }, 1, NOW)).toBeNull()
})
