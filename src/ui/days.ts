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
