/** Milliseconds: the shortest and the longest wait before something is tried again. */
export const SHORTEST_WAIT = 2_000
export const LONGEST_WAIT = 240_000

/**
 * Milliseconds until the next attempt: doubling from 2 s to 4 min, spread over the upper half so that clients that
 * failed together do not come back together. A Retry-After is waited for; one beyond 4 min is obeyed by asking again
 * and being told again, since no wait may be longer: a later time could only be a wrong clock's.
 * @param failures in a row, at least 1
 * @param retryAfter milliseconds
 * @param random in [0, 1)
 */
export function backoff(failures: number, retryAfter: number | null, random: number): number {
  const full = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** Math.min(failures - 1, 20))
  const spread = Math.max(SHORTEST_WAIT, full / 2 + (full / 2) * random)
  return Math.round(Math.min(LONGEST_WAIT, Math.max(spread, retryAfter ?? 0)))
}

/** A time further ahead than this was written by a clock that was wrong. */
const BELIEVABLE = 300_000

/** Whether something that must not happen before `notBefore` is due at `now`. */
export const isDue = (notBefore: number, now: number): boolean => notBefore <= now || notBefore > now + BELIEVABLE

/** Whether work that was last begun at `begun` may begin again; a time in the future counts as never. */
export const isSpaced = (begun: number | null | undefined, spacing: number, now: number): boolean =>
  begun == null || begun > now || now - begun >= spacing
