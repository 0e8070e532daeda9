import { DAY, MINUTE } from '../../src/domain/granularity'

/** The database's knowledge of the clock that removal goes by; milliseconds since 1970. */
export interface ClockRecord {
  /** The latest time that was believed. */
  readonly confirmed: number
  /** The latest reading of a clock that has jumped and that nothing else has confirmed yet; null: the clock is believed. */
  readonly doubted: number | null
  /** Nothing is removed before; null: no jump is that recent. */
  readonly heldUntil: number | null
}

/**
 * The latest time that the market's provider has told (null: none yet), and what the clock said when it was heard; or that
 * there is no provider to tell one.
 */
export type Witness = 'nobody' | { readonly told: number | null; readonly heardAt: number | null }

/** Readings so far apart are no jump: the clock is read every minute, and two clocks that go right differ by less. */
export const CLOCK_TOLERANCE = 15 * MINUTE
/** How long nothing is removed after a jump. */
const HELD = DAY
/** The same where nobody else can tell the time: an operator has so long to see what the log and the admin area say. */
const HELD_ALONE = 7 * DAY

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= CLOCK_TOLERANCE

/**
 * Judges a reading of a clock. A jump forward or back, a pause of the server among them, is believed only beside a time that
 * the provider has just told, and nothing is removed for a day after it; without a provider, after seven days of readings
 * without another jump. So is a clock that has drifted away from the provider's, however slowly.
 * @returns the new record, whether the clock has jumped or was first seen to drift, and `time`: what removal may go by;
 *   null: nothing may be removed by its age now
 */
export function judgeClock(
  { confirmed, doubted, heldUntil }: ClockRecord,
  now: number,
  witness: Witness,
): ClockRecord & { readonly jumped: boolean; readonly time: number | null } {
  const alone = witness === 'nobody'
  const { told, heardAt } = alone ? { told: null, heardAt: null } : witness
  const isAgreed = told !== null && isNear(now, told)
  // A time that was told long ago says nothing of a clock that is ahead of it, but it is past on every clock.
  const isBehind = told !== null && told > now + CLOCK_TOLERANCE
  const hasDrifted = told !== null && heardAt !== null && !isNear(heardAt, told)
  const isDoubtful = !isAgreed && (isBehind || hasDrifted)
  const jumped = !isNear(now, doubted ?? confirmed) || (doubted === null && isDoubtful)
  const held = jumped ? now + (alone ? HELD_ALONE : HELD) : heldUntil
  const isOver = held === null || now >= held
  const isSteady = !jumped && !isDoubtful && (doubted === null || (alone && isOver))
  if (!isAgreed && !isSteady) return { confirmed, doubted: now, heldUntil: held, jumped, time: null }
  return { confirmed: now, doubted: null, heldUntil: isOver ? null : held, jumped, time: isOver ? now : null }
}
