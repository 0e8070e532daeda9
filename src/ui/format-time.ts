import { formatAge } from '../domain/format-time'

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const localFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options)

const clock = localFormat(CLOCK)
const dayAndTime = localFormat({ day: 'numeric', month: 'short', ...CLOCK })
const full = localFormat({ day: 'numeric', month: 'short', year: 'numeric', ...CLOCK })
const longDay = localFormat({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDay = localFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const weekday = localFormat({ weekday: 'long', day: 'numeric', month: 'long' })

/** Empty for a time that is not finite. */
const formatWith = (format: Intl.DateTimeFormat, at: number): string => (Number.isFinite(at) ? format.format(at) : '')

const isSameYear = (a: number, b: number): boolean => new Date(a).getFullYear() === new Date(b).getFullYear()

/** Local time of a day, such as "10:42"; milliseconds. */
export const formatClock = (at: number): string => clock.format(at)

/** Local time as short as it stays clear: "10:42" today, else with the day. Both in milliseconds. */
export const formatMoment = (at: number, now: number): string =>
  (startOfDay(at) === startOfDay(now) ? clock : dayAndTime).format(at)

/** Local date and time, such as "21 Nov 2026, 10:42"; milliseconds. Empty for a time that is not finite. */
export const formatDateTime = (at: number): string => formatWith(full, at)

/** Local date, such as "21 November 2026"; milliseconds. Empty for a time that is not finite. */
export const formatDay = (at: number): string => formatWith(longDay, at)

/** Short local date, such as "21 Nov 2026"; milliseconds. Empty for a time that is not finite. */
export const formatShortDay = (at: number): string => formatWith(shortDay, at)

/** Short date and time: without the year while it is this one. Both in milliseconds. */
export const formatShortDateTime = (at: number, now: number): string =>
  isSameYear(at, now) ? dayAndTime.format(at) : formatDateTime(at)

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
  return (isSameYear(day, today) ? weekday : longDay).format(day)
}
