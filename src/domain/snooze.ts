import { DAY, HOUR } from './granularity'

/** A time in which what a pair's alerts fire is recorded and never announced. */
export interface Snooze {
  /** Milliseconds. */
  readonly until: number
  /** It is over sooner once an alert of the pair is armed again: the ratio is back by the margin. */
  readonly untilBack: boolean
}

/** An alert that never comes back must not keep its pair silent for ever. */
const LONGEST_SNOOZE = 7 * DAY

/** Snoozes by the names of a notification's actions. @param now milliseconds */
export const SNOOZES: Readonly<Record<string, (now: number) => Snooze>> = {
  'snooze-hour': (now) => ({ until: now + HOUR, untilBack: false }),
  'snooze-back': (now) => ({ until: now + LONGEST_SNOOZE, untilBack: true }),
}

/** Of a row of a pair. @param at milliseconds */
export const isSnoozedAt = (until: string | null | undefined, at: number): boolean => Date.parse(until ?? '') > at
