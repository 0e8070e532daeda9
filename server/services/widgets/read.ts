import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { Checkpoint } from '../../../src/contract/checkpoint'
import type { Widget } from '../../../src/contract/widget'
import type { CheckpointId, CoinId, OpId, WidgetId } from '../../../src/domain/ids'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { checkpoints, widgets } from '../../db/schema/widgets'
import type { Owner } from '../owners'

export type StoredWidget = typeof widgets.$inferSelect
export type StoredCheckpoint = typeof checkpoints.$inferSelect

/** An owner's widgets by display order, each with its checkpoints. */
export const readStoredWidgets = (db: Queryable, owner: Owner): Promise<Widget[]> =>
  read(db, owner, 'owned_widgets', undefined)

/** One of the owner's widgets, by its id or by the create's key; undefined when it is not there. */
export async function readWidget(
  db: Queryable,
  owner: Owner,
  which: { readonly id: string } | { readonly op: OpId },
): Promise<Widget | undefined> {
  const [found] = await ('id' in which
    ? read(db, owner, 'widget_by_id', eq(widgets.id, which.id))
    : read(db, owner, 'widget_by_op', eq(widgets.created_by_op, which.op)))
  return found
}

/** One statement: two would see two moments, and a widget removed between them would come without checkpoints. */
async function read(db: Queryable, owner: Owner, name: string, which: SQL | undefined): Promise<Widget[]> {
  const rows = await db
    .select({ widget: widgets, checkpoint: checkpoints })
    .from(widgets)
    .leftJoin(checkpoints, eq(checkpoints.widget_id, widgets.id))
    .where(and(eq(widgets.owner_id, owner.id), which))
    .orderBy(asc(widgets.display_order), asc(checkpoints.display_order))
    .prepare(name)
    .execute()
  return widgetAnswers(rows, owner)
}

interface JoinedRow {
  readonly widget: StoredWidget
  readonly checkpoint: StoredCheckpoint | null
}

/** Widgets of joined rows, which stand by the widgets' order and then by the checkpoints'. */
export function widgetAnswers(rows: readonly JoinedRow[], owner: Pick<Owner, 'id' | 'kind'>): Widget[] {
  const found = new Map<string, { readonly row: StoredWidget; readonly saved: StoredCheckpoint[] }>()
  for (const { widget, checkpoint } of rows) {
    const one = found.get(widget.id) ?? { row: widget, saved: [] }
    found.set(widget.id, one)
    if (checkpoint !== null) one.saved.push(checkpoint)
  }
  return [...found.values()].map(({ row, saved }) => widgetAnswer(row, owner, saved))
}

/** @throws ApiError NOT_FOUND where the owner has no such widget */
export async function requireWidget(db: Queryable, owner: Owner, id: string): Promise<void> {
  const [row] = await db
    .select({ id: widgets.id })
    .from(widgets)
    .where(and(eq(widgets.owner_id, owner.id), eq(widgets.id, id)))
  if (row === undefined) throw new ApiError('NOT_FOUND', 'There is no such widget.')
}

export const widgetAnswer = (
  row: StoredWidget,
  owner: Pick<Owner, 'id' | 'kind'>,
  saved: readonly StoredCheckpoint[],
): Widget => ({
  id: row.id as WidgetId,
  display_order: row.display_order,
  coin_a_id: row.coin_a_id as CoinId,
  coin_b_id: row.coin_b_id as CoinId,
  high_threshold: row.high_threshold,
  low_threshold: row.low_threshold,
  notifications_enabled: row.notifications_enabled,
  high_threshold_active: row.high_threshold_active,
  low_threshold_active: row.low_threshold_active,
  high_epoch: row.high_epoch,
  low_epoch: row.low_epoch,
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
  created_by_op: row.created_by_op as OpId | null,
  checkpoints: saved.map((one) => checkpointAnswer(one, owner)),
})

export const checkpointAnswer = (row: StoredCheckpoint, owner: Pick<Owner, 'id' | 'kind'>): Checkpoint => ({
  id: row.id as CheckpointId,
  widget_id: row.widget_id as WidgetId,
  ratio: row.ratio,
  timestamp: row.timestamp.toISOString(),
  is_default: row.is_default,
  display_order: row.display_order,
  created_at: row.created_at.toISOString(),
  user_id: owner.kind === 'user' ? owner.id : null,
  created_by_op: row.created_by_op as OpId | null,
})
