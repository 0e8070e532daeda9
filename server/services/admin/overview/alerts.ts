import { sql } from 'drizzle-orm'
import type { Overview } from '../../../../src/contract/admin'
import { DAY } from '../../../../src/domain/granularity'
import type { Queryable } from '../../../db/open'

/**
 * What fired within a day, and what became of telling it: `median_seconds` from a crossing to a push service's acceptance.
 * What nobody wanted any more, or a later alert made stale, failed nobody.
 * @param now milliseconds since 1970
 */
export async function alertFigures(db: Queryable, now: number): Promise<Overview['alerts']> {
  const since = new Date(now - DAY)
  const { rows } = await db.execute<Overview['alerts'] & Record<string, unknown>>(sql`
    SELECT (SELECT count(*)::int FROM alert_events WHERE crossed_at > ${since}) AS crossings,
      (count(*) FILTER (WHERE d.outcome = 'sent'))::int AS sent,
      (count(*) FILTER (WHERE d.outcome IN ('undeliverable', 'refused', 'too-late')))::int AS undeliverable,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.ended_at - e.crossed_at)::float8)
        FILTER (WHERE d.outcome = 'sent') AS median_seconds
    FROM push_deliveries d JOIN alert_events e ON e.id = d.event_id WHERE d.ended_at > ${since}`)
  return rows[0]!
}
