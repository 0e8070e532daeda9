import { and, eq, exists, inArray, lt, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Orm } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { push_subscriptions } from '../../db/schema/push'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import { requestMail } from '../mail/request-mail'
import { REFRESH_LIFETIME, SESSION_LIFETIME } from './refresh-token'

/**
 * Removes refresh tokens that are worth nothing any more, and sessions that have none or have reached their
 * greatest age. A token outlives its time by that
 * of its successor: until then it may still come back, from who lost the answer or from who stole it.
 * @param now milliseconds since 1970
 */
export async function removeOldTokens({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  const over = lt(refresh_tokens.expires_at, new Date(now - REFRESH_LIFETIME))
  await removeInBatches(orm, refresh_tokens, over, { signal })
  const tokens = orm
    .select({ one: sql`1` })
    .from(refresh_tokens)
    .where(eq(refresh_tokens.session_id, sessions.id))
  const ended = or(notExists(tokens), lt(sessions.created_at, new Date(now - SESSION_LIFETIME)))
  await endTold(orm, ended, now, signal)
  await removeInBatches(orm, sessions, ended, { signal })
}

/** Sessions whose owners are told in one transaction. */
const TOLD_AT_ONCE = 100

/** Ends sessions whose browsers have been getting notifications, which end with them: their owners are told by mail. */
async function endTold(orm: Orm, ended: SQL | undefined, now: number, signal?: AbortSignal): Promise<void> {
  const subscribed = orm
    .select({ one: sql`1` })
    .from(push_subscriptions)
    .where(eq(push_subscriptions.session_id, sessions.id))
  let told: number
  do {
    if (signal?.aborted === true) return
    told = await orm.transaction(async (tx) => {
      const some = await tx
        .select({ id: sessions.id, email: users.email, device: sessions.device_label })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.user_id))
        .where(and(ended, exists(subscribed)))
        .limit(TOLD_AT_ONCE)
        .for('update', { of: sessions, skipLocked: true })
      for (const { email, device } of some) await requestMail(tx, { kind: 'session-expired', email, device }, now)
      await tx.delete(sessions).where(inArray(sessions.id, some.map(({ id }) => id))) // prettier-ignore
      return some.length
    })
  } while (told === TOLD_AT_ONCE)
}
