import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { stalePeriod } from '../../src/sync/history'
import { NOW } from '../db/support/entries'

describe('history staleness', () => {
  test.each([
    [null, '1d'],
    [0, null],
    [15 * MINUTE, null],
    [15 * MINUTE + 1, '1d'],
    [DAY, '1d'],
    [DAY + 1, '7d'],
    [7 * DAY, '7d'],
    [7 * DAY + 1, '3m'],
    [90 * DAY, '3m'],
    [90 * DAY + 1, '1y'],
    [-HOUR, '1d'],
  ])('a newest history point of age %s asks for %s', (age, period) => {
    expect(stalePeriod(age === null ? null : NOW - age, NOW)).toBe(period)
  })
})
