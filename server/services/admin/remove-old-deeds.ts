import { lt } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { audit_log } from '../../db/schema/audit'

/** How long it is kept what operators did, milliseconds: three years. The privacy policy says so. */
export const KEPT_FOR = 3 * 365 * DAY

/** @param now milliseconds since 1970 */
export async function removeOldDeeds({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, audit_log, lt(audit_log.at, new Date(now - KEPT_FOR)), { signal })
}
