import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPercent, formatPrice, formatRatio, formatSignificant } from '../../src/domain/format-number'
import { formatAge, formatEstimatedPeriod } from '../../src/domain/format-time'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { formatPlanPrice } from '../../src/domain/subscription'
import { expectRows } from '../support/expect-rows'

test('a price in dollars is shown with more digits behind the point the smaller it is', () =>
  expectRows(formatPrice, [
    [123_456.784, '$123,456.78'],
    [10, '$10.00'],
    [9.87654, '$9.8765'],
    [0.1, '$0.1000'],
    [0.0987654, '$0.09877'],
    [0.01, '$0.01000'],
    [0.00987654321, '$0.00987654'],
    [0.00000123, '$0.00000123'],
    [0.0000000123, '$1.23e-8'],
    [0, '$0.00'],
    [null, 'N/A'],
    [NaN, 'N/A'],
    [Infinity, 'N/A'],
    [-1, 'N/A'],
  ]))

test('a ratio is shown with more digits behind the point the smaller it is, and with an exponent at the far ends', () =>
  expectRows(formatRatio, [
    [12_345_678, '1.2346e+7'],
    [9_999_999, '9,999,999.00'],
    [1_234.5678, '1,234.57'],
    [123.45678, '123.457'],
    [16.71234, '16.7123'],
    [1, '1.0000'],
    [0.0598765, '0.059877'],
    [0.0098765, '0.00987650'],
    [1e-7, '0.00000010'],
    [9.9e-8, '9.9000e-8'],
    [0, '0.00'],
    [null, 'N/A'],
    [NaN, 'N/A'],
  ]))

test('a relative change is shown in per cent with its sign, and 0 without one', () =>
  expectRows(formatPercent, [
    [0.0123, '+1.23%'],
    [-0.0123, '−1.23%'],
    [0, '0.00%'],
    [-0.00001, '0.00%'],
    [0.00001, '0.00%'],
    [123.456, '+12,345.60%'],
    [null, 'n.a.'],
    [NaN, 'n.a.'],
    [Infinity, 'n.a.'],
  ]))

test('a value is shown in three significant digits', () =>
  expectRows(
    (value: number | null) => formatSignificant(value),
    [
      [67_123, '67,100'],
      [1.2345, '1.23'],
      [0.00001234, '0.0000123'],
      [0.0000000123, '1.23e-8'],
      [12_345_678, '1.23e+7'],
      [-12_345_678, '−1.23e+7'],
      [-0, '0.00'],
      [0, '0.00'],
      [null, 'N/A'],
      [NaN, 'N/A'],
    ],
  ))

test('an estimated period is shown in its largest unit', () =>
  expectRows(formatEstimatedPeriod, [
    [3.2 * DAY, '~3.2 days'],
    [5.4 * HOUR, '~5.4 hours'],
    [45 * MINUTE, '~45.0 minutes'],
    [42_000, '~42.0 seconds'],
    [HOUR - 1, '~1.0 hours'],
    [DAY - 1, '~1.0 days'],
    [0, '~0.0 seconds'],
    [null, 'N/A'],
    [NaN, 'N/A'],
    [-5, 'N/A'],
  ]))

test('an age is shown in whole minutes, hours or days', () =>
  expectRows(formatAge, [
    [0, 'just now'],
    [59_999, 'just now'],
    [-5 * HOUR, 'just now'],
    [NaN, 'N/A'],
    [Infinity, 'N/A'],
    [MINUTE, '1 min ago'],
    [HOUR - 1, '59 min ago'],
    [3.9 * HOUR, '3 h ago'],
    [DAY, '1 day ago'],
    [12.5 * DAY, '12 days ago'],
  ]))

const anything = fc.oneof(fc.constant(null), fc.double(), fc.double({ min: -1e-9, max: 1e-9 }))
test.each([
  ['price', formatPrice],
  ['ratio', formatRatio],
  ['change', formatPercent],
  ['significant', (value: number | null) => formatSignificant(value)],
  ['period', formatEstimatedPeriod],
  ['age', (value: number | null) => formatAge(value ?? NaN)],
])('the %s format shows no NaN, Infinity, undefined or negative zero, whatever the number', (_name, format) => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(format(value)).not.toMatch(/NaN|Infinity|∞|^-[0.,]*[^1-9]*$|undefined/)
    }),
  )
})

const price = (amount: string, currency: string, interval = 'month', interval_count = 1) => ({
  amount,
  currency,
  interval,
  interval_count,
})

test.each([
  ['en-US', price('5.00', 'USD'), '$5.00 a month'],
  ['en-US', price('5.00', 'USD', 'day', 30), '$5.00 every 30 days'],
  ['en-US', price('50.00', 'USD', 'year'), '$50.00 a year'],
  ['en-US', price('500', 'JPY', 'week', 2), '¥500 every 2 weeks'],
  ['de-DE', price('1234.50', 'EUR'), '1.234,50\u00a0€ a month'],
])('in %s the price of a plan %o reads "%s"', (locale, given, text) => {
  expect(formatPlanPrice(given, locale)).toBe(text)
})

test('the price of a plan has no words for an interval that is not known', () => {
  expect(formatPlanPrice(price('5.00', 'USD', 'fortnight'), 'en-US')).toBeNull()
})
