import { expect, test } from 'vitest'
import { formatDateTime, formatMoment, formatShortDateTime } from '../../../src/ui/format-time'

const at = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime()

test('formatMoment shows a time of today alone, in 24 hours, with midnight as 00', () => {
  expect(formatMoment(at(2026, 10, 21, 0, 5), at(2026, 10, 21, 23, 59))).toBe('00:05')
})

test('formatMoment shows the day with a time of any other day', () => {
  const text = formatMoment(at(2026, 10, 20, 10, 42), at(2026, 10, 21, 0, 1))
  expect(text).toMatch(/20/)
  expect(text).toMatch(/10:42/)
})

test('formatDateTime shows local day, year and time, and nothing for an invalid time', () => {
  const text = formatDateTime(at(2025, 0, 7, 9, 4))
  for (const part of [/7/, /2025/, /09:04/]) expect(text).toMatch(part)
  expect(formatDateTime(Number.NaN)).toBe('')
})

test('formatShortDateTime shows the year only where the year is another, and nothing for an invalid time', () => {
  const now = at(2026, 10, 21, 12, 0)
  const text = formatShortDateTime(at(2026, 10, 20, 10, 42), now)
  for (const part of [/20/, /10:42/]) expect(text).toMatch(part)
  expect(text).not.toMatch(/2026/)
  expect(formatShortDateTime(at(2025, 10, 20, 10, 42), now)).toMatch(/2025/)
  expect(formatShortDateTime(Number.NaN, now)).toBe('')
})
