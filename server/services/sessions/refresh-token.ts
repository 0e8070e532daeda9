import { createHmac } from 'node:crypto'
import { DAY, MINUTE } from '../../../src/domain/granularity'

/** How long a refresh token may be used for the first time, milliseconds. */
export const REFRESH_LIFETIME = 30 * DAY
/** How long a token whose successor has been used is still taken for a belated request of the same client. Milliseconds. */
export const REFRESH_GRACE = MINUTE

/**
 * What is given in exchange for a refresh token: always the same, so that an answer which was lost can be given again
 * without having been stored. The key is that of access tokens, whose signed text never begins like this.
 */
export const successorOf = (key: Uint8Array, token: string): string =>
  createHmac('sha256', key).update(`refresh token after ${token}`).digest('base64url')

export interface Presented {
  /** Milliseconds since 1970, as all times here. */
  readonly expiresAt: number
  /** When it was first presented; null: it is now. */
  readonly usedAt: number | null
  /** Null: there is none yet. */
  readonly successor: { readonly expiresAt: number; readonly usedAt: number | null } | null
}

/**
 * What a presented token is worth: `rotate` it for the first time, `repeat` the answer that was given for it before,
 * refuse it as `expired`, or end the session, since a token has been `stolen`: whoever has the successor has used it, and
 * somebody else comes with the old one.
 */
export type Verdict = 'rotate' | 'repeat' | 'expired' | 'stolen'

export function judgeRefresh({ expiresAt, usedAt, successor }: Presented, now: number): Verdict {
  if (usedAt === null || successor === null) return now < expiresAt ? 'rotate' : 'expired'
  if (successor.usedAt !== null && now > successor.usedAt + REFRESH_GRACE) return 'stolen'
  return now < successor.expiresAt ? 'repeat' : 'expired'
}
