import { DAY, HOUR } from './granularity'
import { formatMoment, startOfDay } from './local-time'
import { type QuietHours, UNTIL_RESUMED } from './quiet-hours'

/** Weekdays, Monday first. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** "Alerts are paused until 18:00." @param until milliseconds, as `now` */
export const pauseSentence = (until: number, now: number): string =>
  until >= Date.parse(UNTIL_RESUMED)
    ? 'Alerts are paused until you resume them'
    : `Alerts are paused until ${formatMoment(until, now)}`

/** "22:00 to 07:00, Europe/Berlin, every day" */
export function quietHoursWords({ from, to, days, time_zone }: QuietHours): string {
  const named = WEEKDAYS.filter((_, index) => days.includes(index + 1))
  return `${from} to ${to}, ${named.length === WEEKDAYS.length ? 'every day' : named.join(', ')}, ${time_zone}`
}

/** The local hour at which a pause "until tomorrow" ends. */
const MORNING = 7

/** Choices of a pause, by when it ends. @param now milliseconds */
export const pauseChoices = (now: number): readonly { readonly label: string; readonly until: string }[] => [
  { label: 'For 1 hour', until: new Date(now + HOUR).toISOString() },
  {
    label: 'Until tomorrow, 07:00',
    until: new Date(new Date(startOfDay(now) + 1.5 * DAY).setHours(MORNING, 0, 0, 0)).toISOString(),
  },
  { label: 'Until I resume', until: UNTIL_RESUMED },
]
