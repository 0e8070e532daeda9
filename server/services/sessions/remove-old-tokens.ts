import { eq, lt, notExists, sql } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { REFRESH_LIFETIME } from './refresh-token'

/**
 * Removes refresh tokens that are worth nothing any more, and sessions that have none. A token outlives its time by that
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
  await removeInBatches(orm, sessions, notExists(tokens), { signal })
}
