import { DAY, MINUTE } from './granularity'

/** When an owner wants no alert, by the wall clock of a zone. */
export interface QuietHours {
  /** "22:00". The end stands outside; an end before the start is on the next day. They differ. */
  readonly from: string
  readonly to: string
  /** Weekdays on which they begin, 1 = Monday to 7 = Sunday. */
  readonly days: number[]
  /** IANA name. */
  readonly time_zone: string
}

/**
 * When the quiet hours end that `now` is in; null: it is in none. They are as the wall clock shows: an hour that it shows
 * twice is quiet twice, and one that it leaves out is not waited for.
 * @param now and answer: milliseconds since 1970, the answer at the start of a minute
 * @throws RangeError for a zone that is not known here
 */
export function quietUntil(hours: QuietHours, now: number): number | null {
  const clock = wallClock(hours.time_zone)
  const isQuiet = (at: number) => isWithin(hours, clock(at))
  if (!isQuiet(now)) return null
  const day = DAY / MINUTE
  const ahead = minutesOf(hours.to) - minutesOf(clock(now).time)
  let end = (Math.floor(now / MINUTE) + (ahead > 0 ? ahead : ahead + day)) * MINUTE
  // A clock change on the way brings the end nearer, or puts it off.
  while (!isQuiet(end - MINUTE)) end -= MINUTE
  while (isQuiet(end)) end += MINUTE
  return end
}

/** An owner's quiet hours and pause; absent or null: none. */
interface AlertHold {
  readonly quiet_hours?: QuietHours | null | undefined
  /** ISO 8601. */
  readonly paused_until?: string | null | undefined
}

/** The pause that lasts until its owner ends it. */
export const UNTIL_RESUMED = '9999-12-31T00:00:00.000Z'

export const isPaused = ({ paused_until }: AlertHold, now: number): boolean =>
  paused_until != null && Date.parse(paused_until) > now

/**
 * Until when an alert is held that fires `now`, milliseconds since 1970; null: it is in a pause, and never announced; undefined:
 * nothing holds it, as far as this device knows the zone.
 */
export function heldUntil(hold: AlertHold, now: number): number | null | undefined {
  if (isPaused(hold, now)) return null
  const { quiet_hours: hours } = hold
  return hours != null && isTimeZone(hours.time_zone) ? (quietUntil(hours, now) ?? undefined) : undefined
}

/** True for the name of a zone that is known here. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

interface WallTime {
  /** 1 = Monday to 7 = Sunday. */
  readonly day: number
  /** "07:05" */
  readonly time: string
}

function isWithin({ from, to, days }: QuietHours, { day, time }: WallTime): boolean {
  if (from < to) return days.includes(day) && from <= time && time < to
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.includes(day) && time >= from) || (days.includes(dayBefore) && time < to)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** By zone; a format takes a hundred times as long to make as to use. */
const clocks = new Map<string, (at: number) => WallTime>()

function wallClock(timeZone: string): (at: number) => WallTime {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const clock = (at: number): WallTime => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return { day: WEEKDAYS.indexOf(parts['weekday']!) + 1, time: `${parts['hour']}:${parts['minute']}` }
  }
  clocks.set(timeZone, clock)
  return clock
}
