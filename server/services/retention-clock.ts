import { DAY, HOUR } from '../../src/domain/granularity'

/** Record of the clock that retention goes by; milliseconds since 1970. */
interface ClockRecord {
  /** The latest time that removal went by. */
  readonly confirmed: number
  /** A time too far ahead of that, as a clock first showed it; null: the clock is not doubted. */
  readonly doubted: number | null
}

/** A clock may be so far ahead of the latest confirmed time; jobs that remove run at least every six hours. */
const MAX_AHEAD = DAY
/** A clock that is further ahead must show at least so much more before it is believed. */
const APART = HOUR

/**
 * Judges a clock by the latest time that retention went by. A time more than a day ahead is doubted first, and confirmed
 * by another reading at least an hour later: a clock that was wrong for a moment removes nothing, and a server that was
 * switched off for a month removes again after an hour. Readings more than a day apart confirm the earlier one only.
 * @returns `time`: the time that removal may go by; null: nothing may be removed by its age now
 */
export function judgeClock(
  { confirmed, doubted }: ClockRecord,
  now: number,
): ClockRecord & { readonly time: number | null } {
  // A time before the confirmed one removes less than was removed already, and corrects a record that was ahead.
  if (now <= confirmed + MAX_AHEAD) return { confirmed: now, doubted: null, time: now }
  if (doubted === null || now < doubted) return { confirmed, doubted: now, time: null }
  if (now < doubted + APART) return { confirmed, doubted, time: null }
  if (now <= doubted + MAX_AHEAD) return { confirmed: now, doubted: null, time: now }
  return { confirmed: doubted, doubted: now, time: doubted }
}
