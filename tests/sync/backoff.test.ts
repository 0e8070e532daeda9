import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoff, isRetryDue, isSpaced, LONGEST_WAIT, SHORTEST_WAIT } from '../../src/sync/pacing'
import { NOW } from '../db/support/entries'

test('the backoff stays between 2 s and 4 min, for any Retry-After and any random number', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.option(fc.double({ min: 0, max: 1e12, noNaN: true })),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, retryAfter, random) => {
        const wait = backoff(failures, retryAfter, random)
        expect(wait).toBeGreaterThanOrEqual(SHORTEST_WAIT)
        expect(wait).toBeLessThanOrEqual(LONGEST_WAIT)
      },
    ),
  )
})

test('the backoff doubles with each failure, and waits for a Retry-After up to the longest wait', () => {
  expect([1, 2, 3, 4].map((failures) => backoff(failures, null, 0.999_999)).map(Math.round)).toEqual([
    2000, 4000, 8000, 16_000,
  ])
  expect(backoff(1, 30_000, 0)).toBe(30_000)
  expect(backoff(1, 900_000, 0)).toBe(LONGEST_WAIT)
})

test('a stored time further ahead than the app ever writes was written by a wrong clock, and is due', () => {
  expect(isRetryDue(NOW + LONGEST_WAIT, NOW)).toBe(false)
  expect(isRetryDue(NOW + 300_001, NOW)).toBe(true)
  expect(isSpaced(NOW + 1, 60_000, NOW)).toBe(true)
  expect(isSpaced(NOW - 59_999, 60_000, NOW)).toBe(false)
})
