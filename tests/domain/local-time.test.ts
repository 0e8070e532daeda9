import { afterEach, expect, test, vi } from 'vitest'
import { dayName, formatDateTime, formatMoment, formatShortDateTime, startOfDay } from '../../src/domain/local-time'

afterEach(() => vi.unstubAllEnvs())

const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime()
const nameOf = (moment: number, now: number) => dayName(startOfDay(moment), startOfDay(now))

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

test('startOfDay is midnight in local time, for midnight itself and for 23:59', () => {
  expect(startOfDay(at(2026, 10, 21, 23, 59))).toBe(at(2026, 10, 21))
  expect(startOfDay(at(2026, 10, 21))).toBe(at(2026, 10, 21))
})

test('dayName says Today and Yesterday, else the date, and the year only where the year is another', () => {
  const now = at(2026, 10, 21, 0, 1)
  expect(nameOf(at(2026, 10, 21), now)).toBe('Today')
  expect(nameOf(at(2026, 10, 20, 23, 59), now)).toBe('Yesterday')
  expect(nameOf(at(2026, 10, 19), now)).toMatch(/19/)
  expect(nameOf(at(2026, 10, 19), now)).not.toMatch(/2026/)
  expect(nameOf(at(2025, 11, 31), now)).toMatch(/2025/)
  expect(nameOf(at(2025, 11, 31), at(2026, 0, 1, 8))).toBe('Yesterday')
})

test('dayName says Yesterday for the day before alone, in every night of a year with clock changes', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(new Date(2026, 6).getTimezoneOffset()).toBe(-120)
  for (let day = 1; day <= 365; day++) {
    expect(nameOf(at(2026, 0, day, 12), at(2026, 0, day + 1, 0, 30))).toBe('Yesterday')
    expect(nameOf(at(2026, 0, day, 12), at(2026, 0, day + 2))).not.toBe('Yesterday')
  }
})
