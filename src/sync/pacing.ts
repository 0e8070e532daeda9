import { type LocalDatabase, readMeta, writeMeta } from '../db/database'
import { isStreamAwaited } from '../db/stream-state'
import { writeTransaction } from '../db/write-transaction'
import { HOUR } from '../domain/granularity'
import { isDue, pauseAfter } from '../domain/waits'
import type { EngineEnv } from './env'

/** Milliseconds: the shortest and the longest wait before something is tried again. */
export const SHORTEST_WAIT = 2_000
export const LONGEST_WAIT = 240_000

/**
 * Milliseconds until the next attempt: doubling from 2 s to 4 min, spread over the upper half so that clients that
 * failed together do not come back together. A Retry-After is waited for, at most 4 min at a time: the next answer
 * names it again, and a later time could only be a wrong clock's.
 * @param failures in a row, at least 1
 * @param retryAfter milliseconds
 * @param random in [0, 1)
 */
export function backoff(failures: number, retryAfter: number | null, random: number): number {
  const full = pauseAfter(failures, { first: SHORTEST_WAIT, growth: 2, longest: LONGEST_WAIT })
  const spread = Math.max(SHORTEST_WAIT, full / 2 + (full / 2) * random)
  return Math.round(Math.min(LONGEST_WAIT, Math.max(spread, retryAfter ?? 0)))
}

/** No wait is longer, that of a Retry-After included. Milliseconds. */
const LONGEST_NOT_BEFORE = 300_000

/** True if something that must not happen before `notBefore` may happen at `now`. */
export const isRetryDue = (notBefore: number, now: number): boolean => isDue(notBefore, now, LONGEST_NOT_BEFORE)

/** True if work that was last begun at `begun` may begin again; null, and a time in the future, count as never. */
export const isSpaced = (begun: number | null | undefined, spacing: number, now: number): boolean =>
  begun == null || begun > now || now - begun >= spacing

/**
 * Begins work that many tabs ask for, unless one of them has begun it less than `spacing` ago.
 * @param spacing milliseconds
 * @returns milliseconds, the time of the beginning, see `isLatest`; null: the caller is not to begin
 */
export async function claimWork({ db, now }: EngineEnv, work: string, spacing: number): Promise<number | null> {
  return writeTransaction(db, [db.meta], async () => {
    const begun = (await readMeta(db, 'begun')) ?? {}
    if (!isSpaced(begun[work], spacing, now())) return null
    const claimed = now()
    await writeMeta(db, 'begun', { ...begun, [work]: claimed })
    return claimed
  })
}

/** True while no tab has begun the work anew: an answer that comes later than that may be older than what is stored. */
export const isLatest = async (db: LocalDatabase, work: string, claimed: number): Promise<boolean> =>
  (await readMeta(db, 'begun'))?.[work] === claimed

/**
 * Milliseconds that settings and policies hold while a stream says when they change: beside a server process of another
 * version, which may have answered the last request, the stream's word alone is not enough.
 */
export const AGE_WHILE_FOLLOWED = 6 * HOUR

/** True while a stream says what has changed for the present owner, or is being opened anew: nothing is polled. */
export async function isFollowed({ db, now }: Pick<EngineEnv, 'db' | 'now'>): Promise<boolean> {
  const [session, stream] = await Promise.all([db.session.get('current'), readMeta(db, 'stream')])
  return session !== undefined && isStreamAwaited(stream, session.owner, now())
}
