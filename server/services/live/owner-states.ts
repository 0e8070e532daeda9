import type { Pool } from 'pg'

/** Callers whose state is asked for: guests by the hash of their id, users by their session. */
export interface AskedOwners {
  readonly guests: readonly string[]
  readonly sessions: readonly { readonly userId: string; readonly sessionId: string }[]
}

export interface OwnerState {
  readonly owner: string
  /** As in owner_revisions; 0 where nothing was ever changed. */
  readonly widgets: number
  readonly account: number
}

/** Callers of one statement. */
const CHUNK = 5_000

/**
 * Owners and revisions, by the guest's hash or the session's id. A guest who never changed anything is missing, and so is a
 * session that has ended or whose account is disabled or gone.
 */
export async function readOwnerStates(
  pool: Pool,
  { guests, sessions }: AskedOwners,
): Promise<ReadonlyMap<string, OwnerState>> {
  const found = new Map<string, OwnerState>()
  for (let from = 0; from < Math.max(guests.length, sessions.length); from += CHUNK) {
    const some = sessions.slice(from, from + CHUNK)
    const { rows } = await pool.query<{ key: string; owner: string; widgets: number; account: number }>(
      `SELECT asked.key, asked.owner, COALESCE(r.widgets, 0)::float8 AS widgets, COALESCE(r.account, 0)::float8 AS account
       FROM (
         SELECT o.anonymous_hash AS key, o.id AS owner FROM owners o WHERE o.anonymous_hash = ANY ($1::text[])
         UNION ALL
         SELECT s.id::text, u.id FROM unnest($2::uuid[], $3::uuid[]) AS g (user_id, session_id)
         JOIN sessions s ON s.id = g.session_id AND s.user_id = g.user_id
         JOIN users u ON u.id = s.user_id AND u.is_active
       ) AS asked LEFT JOIN owner_revisions r ON r.owner_id = asked.owner`,
      [guests.slice(from, from + CHUNK), some.map(({ userId }) => userId), some.map(({ sessionId }) => sessionId)],
    )
    for (const { key, owner, widgets, account } of rows) found.set(key, { owner, widgets, account })
  }
  return found
}
