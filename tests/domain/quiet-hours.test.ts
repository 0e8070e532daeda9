import { describe, expect, test } from 'vitest'
import { quietUntil, type QuietHours } from '../../src/domain/quiet-hours'
import { tomorrowMorning } from '../../src/domain/snooze-words'

const MINUTE = 60_000
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const night = (time_zone: string, change: Partial<QuietHours> = {}): QuietHours => ({
  from: '22:00',
  to: '07:00',
  days: EVERY_DAY,
  time_zone,
  ...change,
})
const endOf = (hours: QuietHours, now: string) => {
  const end = quietUntil(hours, Date.parse(now))
  return end === null ? null : new Date(end).toISOString().slice(0, 16)
}

describe('quiet hours end when the wall clock says so', () => {
  test.each([
    ['Europe/Berlin', '2026-01-15T20:59:59.999Z', null],
    ['Europe/Berlin', '2026-01-15T21:00Z', '2026-01-16T06:00'],
    ['Europe/Berlin', '2026-01-16T05:59:59.999Z', '2026-01-16T06:00'],
    ['Europe/Berlin', '2026-01-16T06:00Z', null],
    ['Asia/Kathmandu', '2026-01-15T16:15Z', '2026-01-16T01:15'],
    // The clock goes forward, and back.
    ['Europe/Berlin', '2026-03-28T21:00Z', '2026-03-29T05:00'],
    ['Europe/Berlin', '2026-10-24T20:00Z', '2026-10-25T06:00'],
    ['America/New_York', '2026-03-08T03:00Z', '2026-03-08T11:00'],
    ['America/New_York', '2026-11-01T02:00Z', '2026-11-01T12:00'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-10-03T11:30Z', '2026-10-03T20:00'],
    ['Australia/Lord_Howe', '2026-04-04T11:00Z', '2026-04-04T20:30'],
  ])('in %s at %s: %s', (zone, now, end) => {
    expect(endOf(night(zone), now)).toBe(end)
  })
})

test('quiet hours that begin within an hour that the clock leaves out begin after it, and end at once if all of them are left out', () => {
  const early = night('Europe/Berlin', { from: '02:30', to: '04:00' })
  expect(endOf(early, '2026-03-29T00:59Z')).toBeNull()
  expect(endOf(early, '2026-03-29T01:00Z')).toBe('2026-03-29T02:00')
  const gone = night('Europe/Berlin', { from: '02:10', to: '02:50' })
  expect(endOf(gone, '2026-03-29T01:00Z')).toBeNull()
})

test('an hour that the clock shows twice is quiet twice', () => {
  const early = night('Europe/Berlin', { from: '02:10', to: '02:50' })
  expect(endOf(early, '2026-10-25T00:20Z')).toBe('2026-10-25T00:50')
  expect(endOf(early, '2026-10-25T01:20Z')).toBe('2026-10-25T01:50')
  expect(endOf(night('Europe/Berlin', { from: '02:10', to: '03:00' }), '2026-10-25T00:20Z')).toBe('2026-10-25T01:00')
})

test('the night after a weekday that is not named is not quiet, and the night after a named one is quiet into the next day', () => {
  // 2026-01-16 is a Friday.
  const fridays = night('UTC', { days: [5] })
  expect(endOf(fridays, '2026-01-16T03:00Z')).toBeNull()
  expect(endOf(fridays, '2026-01-17T03:00Z')).toBe('2026-01-17T07:00')
  expect(endOf(fridays, '2026-01-17T23:00Z')).toBeNull()
  expect(endOf(night('UTC', { from: '09:00', to: '17:00', days: [5] }), '2026-01-16T12:00Z')).toBe('2026-01-16T17:00')
  expect(endOf(night('UTC', { days: [7] }), '2026-01-19T03:00Z')).toBe('2026-01-19T07:00')
})

test('along a whole year in three zones quiet hours are quiet exactly while the wall clock is within them', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' })
    const isNight = (at: number) => {
      const time = clock.format(at)
      return time >= '22:00' || time < '07:00'
    }
    for (let at = Date.UTC(2026, 0, 1, 0, 7); at < Date.UTC(2027, 0, 1); at += 211 * MINUTE) {
      const end = quietUntil(night(zone), at)
      expect(end !== null, `${zone} ${at}`).toBe(isNight(at))
      if (end === null) continue
      expect([isNight(end - 1), isNight(end)], `${zone} ${at}`).toEqual([true, false])
    }
  }
})

test('a zone that nobody knows is refused', () => {
  expect(() => quietUntil(night('Moon/Base'), 0)).toThrow(RangeError)
})

test('a snooze until tomorrow ends when the quiet hours end on the next day of their zone, over every change of its clock', () => {
  for (const time_zone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC']) {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, dateStyle: 'short' })
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, timeStyle: 'short' })
    for (const to of ['07:00', '00:00', '23:59']) {
      for (let now = Date.parse('2026-01-01T00:07Z'); now < Date.parse('2027-01-01'); now += 3.6e6 * 5) {
        const until = tomorrowMorning({ to, time_zone }, now)
        const date = new Date(`${day.format(now)}T12:00Z`)
        date.setUTCDate(date.getUTCDate() + 1)
        expect([clock.format(until), day.format(until)]).toEqual([to, date.toISOString().slice(0, 10)])
      }
    }
  }
})
