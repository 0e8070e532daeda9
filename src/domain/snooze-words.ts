import { formatClock } from './format-time'
import { DAY } from './granularity'
import { formatMoment } from './local-time'
import { type QuietHours, quietUntil } from './quiet-hours'
import { type Snooze, SNOOZES } from './snooze'

/** "Snoozed until 09:00" @param now milliseconds */
export const snoozeSentence = ({ until, untilBack }: Snooze, now: number): string =>
  `Snoozed until ${untilBack ? 'it is back' : formatMoment(until, now)}`

/** Wall time at which a snooze "until tomorrow" ends without quiet hours. */
const MORNING = '08:00'

type Morning = Pick<QuietHours, 'to' | 'time_zone'>

/** Milliseconds: when the quiet hours end on the next day of their zone, or at 08:00 here. @param now milliseconds */
export function tomorrowMorning(quietHours: Morning | null, now: number): number {
  const { to, time_zone } = quietHours ?? { to: MORNING, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  const dayOf = new Intl.DateTimeFormat('en', { timeZone: time_zone, dateStyle: 'short' })
  // Quiet are the twelve hours before the morning.
  const from = new Date(Date.parse(`2026-01-01T${to}Z`) + DAY / 2).toISOString().slice(11, 16)
  const next = (at: number): number =>
    quietUntil({ from, to, days: [1, 2, 3, 4, 5, 6, 7], time_zone }, at) ?? next(at + DAY / 4)
  const first = next(now)
  return dayOf.format(first) === dayOf.format(now) ? next(first) : first
}

interface SnoozeChoice {
  readonly label: string
  readonly snooze: Snooze
}

/** @param hasFired an alert of the pair waits to come back. @param now milliseconds */
export function snoozeChoices(quietHours: Morning | null, hasFired: boolean, now: number): readonly SnoozeChoice[] {
  const until = tomorrowMorning(quietHours, now)
  return [
    { label: 'For 1 hour', snooze: SNOOZES['snooze-hour']!(now) },
    { label: `Until tomorrow, ${formatClock(until)}`, snooze: { until, untilBack: false } },
    ...(hasFired ? [{ label: 'Until it is back, 7 days at most', snooze: SNOOZES['snooze-back']!(now) }] : []),
  ]
}
