import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/open'
import { checkpoints } from '../../db/schema/checkpoints'
import type { CheckpointRow } from '../widgets/read'

/** A widget's checkpoints by display order. */
export const readList = (db: Queryable, widget: string): Promise<CheckpointRow[]> =>
  db.select().from(checkpoints).where(eq(checkpoints.widget_id, widget)).orderBy(asc(checkpoints.display_order))

/** Makes of the list `before`, which is what is stored, the list `after`: rows, places and the default flag. */
export async function writeList(
  tx: Queryable,
  before: readonly CheckpointRow[],
  after: readonly CheckpointRow[],
): Promise<void> {
  const wanted = new Map(after.map((row) => [row.id, row]))
  const stored = new Map(before.map((row) => [row.id, row]))
  const removed = before.filter(({ id }) => !wanted.has(id))
  // At no moment may two of a widget be the default, so the flag is taken before it is given.
  const dethroned = before.filter(({ id, is_default }) => is_default && wanted.get(id)?.is_default === false)
  const placed = after.filter((row) => stored.has(row.id) && stored.get(row.id) !== row)
  const added = after.filter(({ id }) => !stored.has(id))

  if (removed.length > 0) await tx.delete(checkpoints).where(inArray(checkpoints.id, idsOf(removed)))
  if (dethroned.length > 0) {
    await tx
      .update(checkpoints)
      .set({ is_default: false })
      .where(inArray(checkpoints.id, idsOf(dethroned)))
  }
  if (placed.length > 0) await place(tx, placed)
  if (added.length > 0) await tx.insert(checkpoints).values(added)
}

const idsOf = (rows: readonly CheckpointRow[]): string[] => rows.map(({ id }) => id)

async function place(tx: Queryable, rows: readonly CheckpointRow[]): Promise<void> {
  const orders = rows.map(({ display_order }) => display_order)
  const defaults = rows.map(({ is_default }) => is_default)
  await tx.execute(sql`
    UPDATE ${checkpoints} SET display_order = wanted.display_order, is_default = wanted.is_default
    FROM unnest(${sql.param(idsOf(rows))}::uuid[], ${sql.param(orders)}::integer[], ${sql.param(defaults)}::boolean[])
      AS wanted (id, display_order, is_default)
    WHERE ${checkpoints.id} = wanted.id`)
}
