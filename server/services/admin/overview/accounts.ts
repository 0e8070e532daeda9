import { sql } from 'drizzle-orm'
import type { Overview } from '../../../../src/contract/admin'
import type { Queryable } from '../../../db/open'

/** Sides are armed where they may fire at the next price. */
export async function accountFigures(db: Queryable): Promise<Overview['accounts']> {
  const { rows } = await db.execute<Overview['accounts'] & Record<string, unknown>>(sql`
    WITH pairs AS (
      SELECT count(*)::int AS widgets,
        (count(*) FILTER (WHERE is_active AND notifications_enabled AND high_threshold_active AND high_threshold IS NOT NULL)
          + count(*) FILTER (WHERE is_active AND notifications_enabled AND low_threshold_active AND low_threshold IS NOT NULL)
        )::int AS armed_sides
      FROM widgets
    ), accounts AS (
      SELECT count(*)::int AS users, (count(*) FILTER (WHERE has_premium_access))::int AS premium FROM users
    )
    SELECT accounts.*, (SELECT count(*)::int FROM owners WHERE kind = 'guest') AS guests, pairs.* FROM accounts, pairs`)
  return rows[0]!
}
