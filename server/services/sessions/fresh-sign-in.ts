import { and, eq } from 'drizzle-orm'
import { MINUTE } from '../../../src/domain/granularity'
import { ApiError } from '../../api-error'
import type { Queryable } from '../../db/open'
import { sessions } from '../../db/schema/sessions'
import type { Caller } from '../../plugins/identity'

/** How long a sign-in or a confirmation counts as fresh, milliseconds. */
const FRESH_FOR = 10 * MINUTE

const ended = () => new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')

const sessionOf = (caller: Caller) => {
  if (caller.kind === 'guest') throw new ApiError('FORBIDDEN', 'Only for registered users.')
  return and(eq(sessions.id, caller.sessionId), eq(sessions.user_id, caller.userId))
}

/**
 * Until when the caller's session counts as freshly signed in; null: it does not.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function freshUntil(db: Queryable, caller: Caller, now: number): Promise<Date | null> {
  const [row] = await db.select({ at: sessions.authenticated_at }).from(sessions).where(sessionOf(caller))
  if (row === undefined) throw ended()
  const until = row.at === null ? 0 : row.at.getTime() + FRESH_FOR
  return now < until ? new Date(until) : null
}

/**
 * Refuses what a session that somebody found open must not do. The sentence is what clients show that know no way to
 * confirm.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, TOKEN_EXPIRED
 */
export async function requireFreshSignIn(db: Queryable, caller: Caller, now: number): Promise<void> {
  if ((await freshUntil(db, caller, now)) !== null) return
  throw new ApiError(
    'FRESH_SIGN_IN_REQUIRED',
    'Please confirm that it is you: log out, log in again, and repeat this within ten minutes.',
  )
}

/** The caller has just shown who they are. @returns until when that counts */
export async function refreshSignIn(tx: Queryable, caller: Caller, now: number): Promise<Date> {
  const changed = await tx
    .update(sessions)
    .set({ authenticated_at: new Date(now) })
    .where(sessionOf(caller))
    .returning({ id: sessions.id })
  if (changed.length === 0) throw ended()
  return new Date(now + FRESH_FOR)
}
