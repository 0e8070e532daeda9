import { afterEach, expect, test, vi } from 'vitest'
import { dayName, startOfDay } from '../../../src/ui/format-time'

afterEach(() => vi.unstubAllEnvs())

const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime()
const nameOf = (moment: number, now: number) => dayName(startOfDay(moment), startOfDay(now))

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
