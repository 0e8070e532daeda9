import { expect, test } from 'vitest'
import { formatPlanPrice } from '../../src/domain/subscription'

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
