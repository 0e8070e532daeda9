import { lt } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import type { Database } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { feedback } from '../../db/schema/feedback'

/** How long feedback is kept, milliseconds. The privacy policy says so. */
export const KEPT_FOR = 365 * DAY

/** @param now milliseconds since 1970 */
export async function removeOldFeedback({ orm }: Database, now: number, signal?: AbortSignal): Promise<void> {
  await removeInBatches(orm, feedback, lt(feedback.created_at, new Date(now - KEPT_FOR)), { signal })
}
