import { createHmac } from 'node:crypto'
import { DAY, MINUTE } from '../../../src/domain/granularity'

/** How long a refresh token may be used for the first time, milliseconds. */
export const REFRESH_LIFETIME = 30 * DAY
/** How long a session lasts at most, however often it is refreshed; milliseconds. */
export const SESSION_LIFETIME = 180 * DAY
/** How long a token whose successor has been used is still taken for a belated request of the same client. Milliseconds. */
export const REFRESH_GRACE = MINUTE
/** The same where the successor's access token has been seen: a browser that crashed may have lost what it had stored. */
export const RETURN_GRACE = 10 * MINUTE
/** How long a token is answered again while nobody shows that the answer ever arrived: a phone may be off for days. */
export const REPEAT_LIFETIME = 7 * DAY
/** A browser goes back to a token that it had replaced at most once in this time; a second return is a thief's. */
export const RETURN_SPACING = DAY

/**
 * What is given in exchange for a refresh token: always the same, so that an answer which was lost can be given again
 * without having been stored. The key is that of access tokens, whose signed text never begins like this.
 */
export const successorOf = (key: Uint8Array, token: string): string =>
  createHmac('sha256', key).update(`refresh token after ${token}`).digest('base64url')

export interface Presented {
  /** Milliseconds since 1970, as all times here. */
  readonly expiresAt: number
  /** When the session is over in any case. */
  readonly endsAt: number
  /** When it was first presented; null: it is now. */
  readonly usedAt: number | null
  /** When another token of the session last came back although its successor had been seen; null: none has. */
  readonly otherReturnedAt: number | null
  /** Null: there is none yet. */
  readonly successor: {
    readonly expiresAt: number
    readonly usedAt: number | null
    /** When an access token that was given with it was first presented. */
    readonly seenAt: number | null
  } | null
}

/**
 * Verdict on a presented refresh token: `rotate` it for the first time; `repeat` the answer that was given for it
 * before, since no client has shown that the answer arrived; take its `return` once although a client has, as after a
 * crash; refuse it as `expired`; or end the session, since a token has been `stolen`: one client goes on with the
 * successor, and another comes with the old token.
 */
export type Verdict = 'rotate' | 'repeat' | 'return' | 'expired' | 'stolen'

export function judgeRefresh(presented: Presented, now: number): Verdict {
  const { expiresAt, endsAt, usedAt, otherReturnedAt, successor } = presented
  if (now >= endsAt) return 'expired'
  if (usedAt === null || successor === null) return now < expiresAt ? 'rotate' : 'expired'
  if (successor.usedAt !== null && now > successor.usedAt + REFRESH_GRACE) return 'stolen'
  if (successor.seenAt !== null && now > successor.seenAt + RETURN_GRACE) return 'stolen'
  if (now >= successor.expiresAt) return 'expired'
  if (successor.usedAt === null && successor.seenAt === null) {
    return now < usedAt + REPEAT_LIFETIME ? 'repeat' : 'expired'
  }
  return otherReturnedAt !== null && now < otherReturnedAt + RETURN_SPACING ? 'stolen' : 'return'
}
