import { lt } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { alert_events } from '../../db/schema/alerts'
import { push_deliveries } from '../../db/schema/push'

/** How long it is kept what fired, and what became of telling it; milliseconds. The privacy policy says so. */
export const EVENTS_KEPT_FOR = 400 * DAY
export const DELIVERIES_KEPT_FOR = 30 * DAY

/** @param now milliseconds since 1970 */
export async function removeOldAlerts({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  const ended = lt(push_deliveries.ended_at, new Date(now - DELIVERIES_KEPT_FOR))
  await removeInBatches(orm, push_deliveries, ended, { signal })
  await removeInBatches(orm, alert_events, lt(alert_events.crossed_at, new Date(now - EVENTS_KEPT_FOR)), { signal })
}
