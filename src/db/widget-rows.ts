import type { Checkpoint } from '../contract/checkpoint'
import type { Widget } from '../contract/widget'
import type { OwnerId, WidgetId } from '../domain/ids'
import { isSamePair } from './board'
import type { LocalDatabase } from './database'
import { widgetsOf, without } from './widget-list'

/**
 * Notes the id that a thing goes by from now on. Ids that led to the temporary one lead on to the real one: a pair that
 * was sent again after the server had lost it has had two before.
 */
export async function mapId(db: LocalDatabase, owner: OwnerId, temp: string, real: string): Promise<void> {
  const earlier = await db.ids.filter((row) => row.real === temp).toArray()
  await db.ids.bulkPut([...earlier.map((row) => ({ ...row, real })), { temp, real, owner }])
}

/** Server rows by owner, as the API gives them. */
export async function readWidgets(db: LocalDatabase): Promise<(owner: OwnerId) => Widget[]> {
  const [widgets, checkpoints] = await Promise.all([db.widgets.toArray(), db.checkpoints.toArray()])
  return (owner) => widgetsOf(owner, { widgets, checkpoints })
}

/** A widget's checkpoints as the server last said, in order. */
export async function readCheckpoints(db: LocalDatabase, widget: WidgetId): Promise<Checkpoint[]> {
  const rows = await db.checkpoints.where('widget_id').equals(widget).sortBy('display_order')
  return rows.map((row) => without(row, 'owner'))
}

export async function replaceCheckpointRows(
  db: LocalDatabase,
  owner: OwnerId,
  widget: WidgetId,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  await db.checkpoints.where('widget_id').equals(widget).delete()
  if ((await db.widgets.get(widget)) === undefined) return
  await db.checkpoints.bulkPut(checkpoints.map((checkpoint) => ({ ...checkpoint, owner })))
}

/**
 * Writes one widget that an answer brought. Its place stays the local one: only reorders and pulls decide about order,
 * or two answers that cross would shuffle the board. Only a create may insert, so that a late answer to an update does
 * not bring back what was removed; it takes the place of another row of its pair.
 */
export async function putWidgetRow(
  db: LocalDatabase,
  owner: OwnerId,
  widget: Widget,
  mode: 'may-insert' | 'only-present',
): Promise<void> {
  const rows = await db.widgets.where('owner').equals(owner).toArray()
  const present = rows.find((row) => row.id === widget.id)
  if (present === undefined && mode === 'only-present') return
  if (mode === 'may-insert') {
    const rivals = rows.filter((row) => row.id !== widget.id && isSamePair(row, widget))
    for (const rival of rivals) await deleteWidgetRow(db, rival.id)
  }
  const { checkpoints, ...row } = widget
  const last = Math.max(-1, ...rows.map((other) => other.display_order))
  await db.widgets.put({ ...row, owner, display_order: present?.display_order ?? last + 1 })
  await replaceCheckpointRows(db, owner, widget.id, checkpoints)
}

export async function deleteWidgetRow(db: LocalDatabase, id: WidgetId): Promise<void> {
  await db.checkpoints.where('widget_id').equals(id).delete()
  await db.widgets.delete(id)
}

/** Makes an owner's first inactive row active, whose turn it is after another was removed. Returns false: there is none. */
export async function giveSlot(db: LocalDatabase, owner: OwnerId): Promise<boolean> {
  const rows = await db.widgets.where('owner').equals(owner).sortBy('display_order')
  const next = rows.find((row) => !row.is_active)
  if (next !== undefined) await db.widgets.put({ ...next, is_active: true })
  return next !== undefined
}

/** Sets order and activity of the rows that are present and nothing else; rows that are not named keep theirs at the end. */
export async function orderWidgetRows(
  db: LocalDatabase,
  owner: OwnerId,
  said: readonly Pick<Widget, 'id' | 'is_active'>[],
): Promise<void> {
  const rows = await db.widgets.where('owner').equals(owner).sortBy('display_order')
  const places = new Map(said.map(({ id, is_active }, place) => [id, { place, is_active }]))
  const placeOf = (id: WidgetId) => places.get(id)?.place ?? said.length
  const ordered = rows.toSorted((a, b) => placeOf(a.id) - placeOf(b.id))
  await db.widgets.bulkPut(
    ordered.map((row, index) => ({
      ...row,
      display_order: index,
      is_active: places.get(row.id)?.is_active ?? row.is_active,
    })),
  )
}

/** Replaces all of an owner's rows by what a pull brought. */
export async function replaceWidgetRows(db: LocalDatabase, owner: OwnerId, widgets: readonly Widget[]): Promise<void> {
  await db.widgets.where('owner').equals(owner).delete()
  await db.checkpoints.where('owner').equals(owner).delete()
  await db.widgets.bulkPut(
    widgets.map((widget, index) => ({ ...without(widget, 'checkpoints'), owner, display_order: index })),
  )
  await db.checkpoints.bulkPut(widgets.flatMap((widget) => widget.checkpoints.map((one) => ({ ...one, owner }))))
}
