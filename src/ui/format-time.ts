import { formatAge } from '../domain/format-time'

const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Local time as short as it stays clear: "10:42" today, with the day before that. Both in milliseconds. */
export function formatMoment(at: number, now: number): string {
  const moment = new Date(at)
  return (sameDay(moment, new Date(now)) ? time : dayAndTime).format(moment)
}

const full = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Local date and time, such as "21 Nov 2026, 10:42"; milliseconds. Empty for what is no time. */
export const formatDateTime = (at: number): string => (Number.isFinite(at) ? full.format(at) : '')

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

/** Local date, such as "21 November 2026"; milliseconds. Empty for what is no time. */
export const formatDay = (at: number): string => (Number.isFinite(at) ? day.format(at) : '')

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** Local date where room is short, such as "21 Nov 2026"; milliseconds. Empty for what is no time. */
export const formatShortDay = (at: number): string => (Number.isFinite(at) ? shortDay.format(at) : '')

/** Date and time where room is short: without the year while it is this one. */
export const formatShortDateTime = (at: number, now: number): string =>
  new Date(at).getFullYear() === new Date(now).getFullYear() ? dayAndTime.format(at) : formatDateTime(at)

/** Such as "2 min ago (10:42)"; both in milliseconds. */
export const updatedLine = (at: number | undefined, now: number): string =>
  at === undefined ? 'Not yet' : `${formatAge(now - at)} (${formatMoment(at, now)})`

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Local midnight before a time; both in milliseconds. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Milliseconds: the middle of the day before, whatever the clocks did in that night. */
const dayBefore = (day: number): number => startOfDay(day - 43_200_000)

/** Name of a day: "Today", "Yesterday", "Thursday, 19 November". Both are starts of days, in milliseconds. */
export function dayName(day: number, today: number): string {
  if (day === today) return 'Today'
  if (day === dayBefore(today)) return 'Yesterday'
  return (new Date(day).getFullYear() === new Date(today).getFullYear() ? thisYear : otherYear).format(day)
}

/** Local time of a day, such as "10:42"; milliseconds. */
export const formatClock = (at: number): string => clock.format(at)
