import { formatAge, formatClock } from './format-time'

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Formats local times; the browser's format, some 5 ms on a phone, is made at the first use. Empty for a time that is not finite. */
function localFormat(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let format: Intl.DateTimeFormat | undefined
  return (at) => (Number.isFinite(at) ? (format ??= new Intl.DateTimeFormat(undefined, options)).format(at) : '')
}

const dayAndTime = localFormat({ day: 'numeric', month: 'short', ...CLOCK })
const weekday = localFormat({ weekday: 'long', day: 'numeric', month: 'long' })

const isSameYear = (a: number, b: number): boolean => new Date(a).getFullYear() === new Date(b).getFullYear()

/** Local time as short as it stays clear: "10:42" today, else with the day. Both in milliseconds. */
export const formatMoment = (at: number, now: number): string =>
  startOfDay(at) === startOfDay(now) ? formatClock(at) : dayAndTime(at)

/** Local date and time, such as "21 Nov 2026, 10:42"; milliseconds. Empty for a time that is not finite. */
export const formatDateTime = localFormat({ day: 'numeric', month: 'short', year: 'numeric', ...CLOCK })

/** Local date, such as "21 November 2026"; milliseconds. Empty for a time that is not finite. */
export const formatDay = localFormat({ day: 'numeric', month: 'long', year: 'numeric' })

/** Short local date, such as "21 Nov 2026"; milliseconds. Empty for a time that is not finite. */
export const formatShortDay = localFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Short date and time: without the year while it is this one. Both in milliseconds. */
export const formatShortDateTime = (at: number, now: number): string =>
  isSameYear(at, now) ? dayAndTime(at) : formatDateTime(at)

/** Such as "2 min ago (10:42)"; both in milliseconds. */
export const updatedLine = (at: number | undefined, now: number): string =>
  at === undefined ? 'Not yet' : `${formatAge(now - at)} (${formatMoment(at, now)})`

/** Local midnight before a time; both in milliseconds. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Name of a day: "Today", "Yesterday", "Thursday, 19 November". Both are starts of days, in milliseconds. */
export function dayName(day: number, today: number): string {
  if (day === today) return 'Today'
  // Twelve hours back lie in the day before, even in a night when the clocks change.
  if (day === startOfDay(today - 43_200_000)) return 'Yesterday'
  return (isSameYear(day, today) ? weekday : formatDay)(day)
}
