import { inArray } from 'drizzle-orm'
import type { Queryable } from '../../db/open'
import { removeInBatches } from '../../db/remove-in-batches'
import { alert_events } from '../../db/schema/alerts'
import { operations } from '../../db/schema/operations'
import { owners } from '../../db/schema/owners'
import { widgets } from '../../db/schema/widgets'
import { holdWidgets } from '../widgets/arrange'

/** Rows of one owner that one statement removes. */
const ROWS = 5000

/**
 * Removes owners, which the transaction holds, and everything that is theirs. Rows of which one owner can have many go
 * first, so many at a time; the foreign keys take the rest.
 */
export async function removeOwners(tx: Queryable, ids: readonly string[]): Promise<void> {
  // First, as in every transaction that needs several widgets (decision 0049).
  await holdWidgets(tx, inArray(widgets.owner_id, ids))
  const all = { rows: ROWS, batches: Infinity }
  await removeInBatches(tx, alert_events, inArray(alert_events.owner_id, ids), all)
  await removeInBatches(tx, operations, inArray(operations.owner_id, ids), all)
  await tx.delete(owners).where(inArray(owners.id, ids))
}
