import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/open'

/** How much is still to be told, of all processes: crossings for which no browser has been chosen, and deliveries. */
export async function alertBacklog(db: Queryable): Promise<{ crossings: number; deliveries: number }> {
  const { rows } = await db.execute<{ crossings: number; deliveries: number }>(sql`
    SELECT (SELECT count(*)::int FROM alert_events WHERE delivery = 'waiting') AS crossings,
      (SELECT count(*)::int FROM push_deliveries WHERE outcome = 'waiting') AS deliveries`)
  return rows[0]!
}
