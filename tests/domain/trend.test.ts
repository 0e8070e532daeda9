import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { trendSteps } from '../../src/domain/pair-summary'

/** Mean 10, sample deviation 1. */
const past = [9, 11, 9, 11, 10]

test.each([
  [10, 0],
  [10.99, 0],
  [11.01, 1],
  [12.01, 2],
  [13.01, 3],
  [99, 3],
  [8.99, -1],
  [7.99, -2],
  [6.99, -3],
  [1, -3],
])('the trend of a current ratio of %d is %d steps', (current, steps) => {
  expect(trendSteps(Float64Array.of(...past, current))).toBe(steps)
})

test('the trend is null with fewer than five ratios', () => {
  expect(trendSteps(Float64Array.of(1, 2, 3, 4))).toBeNull()
  expect(trendSteps(Float64Array.of(1, 2, 3, 4, 5))).not.toBeNull()
})

test('the trend is 0 after a flat past, whatever the current ratio', () => {
  expect(trendSteps(Float64Array.of(0.1, 0.1, 0.1, 0.1, 0.1, 7))).toBe(0)
})

test('the trend looks at the latest 200 ratios only', () => {
  const old = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 1 : 1_000))
  const latest = Array.from({ length: 199 }, (_, i) => (i % 2 === 0 ? 9 : 11))
  expect(trendSteps(Float64Array.of(...old, ...latest, 13.5))).toBe(3)
  expect(trendSteps(Float64Array.of(...old, ...latest.slice(1), 13.5))).toBe(0)
})

test('the trend mirrors with the ratios and never exceeds three steps', () => {
  const ratios = fc.array(fc.double({ min: 1, max: 1e3, noNaN: true }), { minLength: 5, maxLength: 250 })
  fc.assert(
    fc.property(ratios, (list) => {
      const steps = trendSteps(Float64Array.from(list))!
      expect([-3, -2, -1, 0, 1, 2, 3]).toContain(steps)
      expect(trendSteps(Float64Array.from(list, (value) => -value))).toBe(-steps || 0)
    }),
  )
})
