import type { Widget } from '../../contract/widget'
import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import type { OutboxEntry } from '../outbox-entry'
import type { CheckpointRow, OwnerRow, WidgetRow } from '../rows'
import { readKnownIds } from '../snapshot'
import { isMarkedForDeletion } from '../outbox'

/** A guest's pair that the server no longer has. */
export interface LostRow {
  readonly widget: WidgetRow
  readonly checkpoints: readonly CheckpointRow[]
}

/**
 * The guest's pairs that the server's list lacks and that this device did not remove. A guest exists in one browser
 * only, so the server has lost them: it was restored from a backup, or began anew. A user's may have been removed by
 * another device.
 */
export async function findLost(
  db: LocalDatabase,
  owner: OwnerId,
  widgets: readonly Widget[],
  queue: readonly OutboxEntry[],
  { given_up = [] }: OwnerRow,
): Promise<readonly LostRow[]> {
  const [rows, ids] = [await db.widgets.where('owner').equals(owner).sortBy('display_order'), await readKnownIds(db)]
  const isPair = (row: WidgetRow, { id, coin_a_id, coin_b_id }: Widget): boolean =>
    id === row.id || (coin_a_id === row.coin_a_id && coin_b_id === row.coin_b_id)
  const missing = rows.filter(
    (row) =>
      !widgets.some((one) => isPair(row, one)) &&
      !given_up.includes(row.id) &&
      !isMarkedForDeletion(row.id, queue, ids),
  )
  return Promise.all(
    missing.map(async (widget) => ({
      widget,
      checkpoints: await db.checkpoints.where('widget_id').equals(widget.id).toArray(),
    })),
  )
}

/** Writes lost pairs back to their places among the rows of a pull, marked as lost. */
export async function keepLost(db: LocalDatabase, lost: readonly LostRow[]): Promise<void> {
  const { owner } = lost[0]!.widget
  const rows = await db.widgets.where('owner').equals(owner).sortBy('display_order')
  for (const { widget } of lost) rows.splice(widget.display_order, 0, { ...widget, lost: true })
  await db.widgets.bulkPut(rows.map((row, index) => ({ ...row, display_order: index })))
  await db.checkpoints.bulkPut(lost.flatMap(({ checkpoints }) => checkpoints))
}
