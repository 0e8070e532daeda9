import { and, eq, isNull, ne, or } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/open'
import { push_subscriptions } from '../../db/schema/push'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { hashOfSecret } from '../secrets'

/**
 * Ends all of a user's sessions: their tokens are refused from now on, and no browser is told of the user's alerts before
 * it has subscribed anew. Part of a transaction that holds the user's row.
 */
export async function revokeSessions(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.user_id, userId))
  // Those of before subscriptions were bound to sessions.
  await tx.delete(push_subscriptions).where(eq(push_subscriptions.owner_id, userId))
}

/** Ends all of a user's sessions but one, in the same way. Part of a transaction that holds the user's row. */
export async function revokeOtherSessions(tx: Queryable, userId: string, kept: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.user_id, userId), ne(sessions.id, kept)))
  const { owner_id, session_id } = push_subscriptions
  await tx.delete(push_subscriptions).where(and(eq(owner_id, userId), or(isNull(session_id), ne(session_id, kept))))
}

/** Ends the session of a refresh token, used or not; what nobody knows ends nothing. */
export async function logOut({ orm }: Database, refreshToken: string): Promise<void> {
  const session = orm
    .select({ id: refresh_tokens.session_id })
    .from(refresh_tokens)
    .where(eq(refresh_tokens.token_hash, hashOfSecret(refreshToken)))
  await orm.delete(sessions).where(eq(sessions.id, session))
}
