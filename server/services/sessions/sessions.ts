import { and, desc, eq, exists, gt, isNull, ne, or, sql } from 'drizzle-orm'
import type { Device } from '../../../src/contract/device'
import { MINUTE } from '../../../src/domain/granularity'
import { ApiError } from '../../http/api-error'
import type { Database, Queryable } from '../../db/open'
import { push_subscriptions } from '../../db/schema/alerts'
import { known_devices, refresh_tokens, sessions } from '../../db/schema/sessions'
import { closeWaysIn } from '../accounts/ways-in'
import { type Caller, findOwner, requireUser, withOwnerLock } from '../owners'
import { unshownInSql } from '../push/receipts'
import { commitChange } from '../revisions'
import { hashOfSecret } from '../secrets'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { SESSION_LIFETIME } from './refresh-token'

type OwnSessionsDeps = Pick<ServiceDeps, 'database' | 'clock'>

/** The id of the session that asks; the callers of these calls are signed in. */
const currentOf = (caller: Caller): string => (caller.kind === 'user' ? caller.sessionId : '')

/**
 * The sessions of the caller's account that can still be gone on with.
 * @throws ApiError TOKEN_EXPIRED when the caller's own has ended
 */
export async function listSessions({ database: { orm }, clock }: OwnSessionsDeps, caller: Caller): Promise<Device[]> {
  const owner = await findOwner(orm, caller)
  if (owner === undefined) return []
  const now = clock()
  const ofSession = orm.select({ one: sql`1` }).from(push_subscriptions)
  const subscribed = ofSession.where(
    and(eq(push_subscriptions.session_id, sessions.id), isNull(push_subscriptions.refused_at)),
  )
  const tokens = orm
    .select({ one: sql`1` })
    .from(refresh_tokens)
    .where(and(eq(refresh_tokens.session_id, sessions.id), gt(refresh_tokens.expires_at, new Date(now))))
  const seen = sql`COALESCE(${sessions.refreshed_at}, ${sessions.created_at})`
  const isCurrent = sql<boolean>`${sessions.id} = ${currentOf(caller)}::uuid`
  const rows = await orm
    .select({
      session: sessions,
      gets_push: sql<boolean>`${exists(subscribed)}`,
      unshown: unshownInSql(now),
      is_current: isCurrent,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.user_id, owner.id),
        gt(sessions.created_at, new Date(now - SESSION_LIFETIME)),
        or(isCurrent, exists(tokens)),
      ),
    )
    .orderBy(desc(isCurrent), desc(seen), sessions.id)
  return rows.map(({ session, gets_push, unshown, is_current }) => ({
    id: session.id,
    label: session.device_label,
    signed_in_at: session.created_at.toISOString(),
    last_seen_at: (session.refreshed_at ?? session.created_at).toISOString(),
    gets_push,
    ...(unshown !== null && { unshown }),
    is_current,
  }))
}

/**
 * Ends one session of the caller's account, whose browser is a stranger from then on. A session that is over already, or
 * another user's, is left alone without a word.
 * @throws ApiError TOKEN_EXPIRED when the caller's own has ended
 */
export async function endSessionById({ database, clock }: OwnSessionsDeps, caller: Caller, id: string): Promise<void> {
  const now = clock()
  await withOwnerLock(database, caller, now, async (tx, owner) => {
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.user_id, owner.id)))
      .returning({ device: sessions.device_id, label: sessions.device_label })
    if (ended === undefined) return
    tx.raise(owner.id, 'account')
    await recordSecurityEvent(tx, { userId: owner.id, kind: 'session-ended', about: ended.label }, now)
    if (ended.device === null || id === currentOf(caller)) return
    await tx.delete(known_devices).where(eq(known_devices.id, ended.device))
  })
}

/**
 * Ends all sessions of the caller's account but the one that asks; no other browser is known to the account, or gets its
 * alerts, from then on.
 * @throws ApiError TOKEN_EXPIRED when the caller's own has ended
 */
export async function endOtherSessions({ database, clock }: OwnSessionsDeps, caller: Caller): Promise<void> {
  const now = clock()
  await withOwnerLock(database, caller, now, async (tx, owner) => {
    const session = currentOf(caller)
    const others = await tx.$count(sessions, and(eq(sessions.user_id, owner.id), ne(sessions.id, session)))
    await closeWaysIn(tx, owner.id, { kind: 'elsewhere', session }, now)
    if (others > 0) await recordSecurityEvent(tx, { userId: owner.id, kind: 'other-sessions-ended' }, now)
  })
}

/** Ends the session of a refresh token, used or not; an unknown token ends nothing. */
export async function endSessionOfToken(database: Database, refreshToken: string, now: number): Promise<void> {
  await commitChange(database, now, async (tx) => {
    const session = tx
      .select({ id: refresh_tokens.session_id })
      .from(refresh_tokens)
      .where(eq(refresh_tokens.token_hash, hashOfSecret(refreshToken)))
    const ended = await tx.delete(sessions).where(eq(sessions.id, session)).returning({ user: sessions.user_id })
    for (const { user } of ended) {
      tx.raise(user, 'account')
      await recordSecurityEvent(tx, { userId: user, kind: 'logged-out' }, now)
    }
  })
}

/** Refresh tokens that this process remembers to have marked; forgotten ones are marked again, which changes nothing. */
const MAX_REMEMBERED = 10_000

/**
 * Notes, once for each refresh token, that a client has presented the access token that came with it: the answer has
 * arrived, so that the token before it need not be taken any more.
 */
export function seenMarker({ database: { orm }, clock }: Pick<ServiceDeps, 'database' | 'clock'>) {
  const marked = new Set<string>()
  return async (refreshHash: string): Promise<void> => {
    if (marked.has(refreshHash)) return
    const its = and(eq(refresh_tokens.token_hash, refreshHash), isNull(refresh_tokens.seen_at))
    await orm
      .update(refresh_tokens)
      .set({ seen_at: new Date(clock()) })
      .where(its)
    if (marked.size >= MAX_REMEMBERED) marked.clear()
    marked.add(refreshHash)
  }
}

/** How long a sign-in or a confirmation counts as fresh, milliseconds. */
const FRESH_FOR = 10 * MINUTE

const ended = () => new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')

const sessionOf = (caller: Caller) => {
  const { userId, sessionId } = requireUser(caller)
  return and(eq(sessions.id, sessionId), eq(sessions.user_id, userId))
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
 * Refuses calls that a person who finds a session open must not make. Clients that know no way to confirm show the sentence.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, TOKEN_EXPIRED
 */
export async function requireFreshSignIn(db: Queryable, caller: Caller, now: number): Promise<void> {
  if ((await freshUntil(db, caller, now)) !== null) return
  throw new ApiError(
    'FRESH_SIGN_IN_REQUIRED',
    'Please confirm that it is you: log out, log in again, and repeat this within ten minutes.',
  )
}

/**
 * Refuses to change an account with passkeys, or to hand out all that is in it, without one of them: a password that
 * somebody has learnt, or an open session, must not be enough. A sign-in with a recovery code counts as one.
 * @throws ApiError FRESH_SIGN_IN_REQUIRED, TOKEN_EXPIRED
 */
export async function requireSecondFactor(
  db: Queryable,
  caller: Caller,
  { has_passkeys }: { readonly has_passkeys: boolean },
  now: number,
): Promise<void> {
  if (has_passkeys) await requireFreshSignIn(db, caller, now)
}

/** The account's other sessions have shown nothing that still counts. Part of a transaction that holds the user's row. */
export async function forgetOtherConfirmations(tx: Queryable, caller: Caller): Promise<void> {
  const { userId, sessionId } = requireUser(caller)
  await tx
    .update(sessions)
    .set({ authenticated_at: null })
    .where(and(eq(sessions.user_id, userId), ne(sessions.id, sessionId)))
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
