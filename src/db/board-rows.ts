import type { Checkpoint } from '../contract/checkpoint'
import type { Widget } from '../contract/widget'
import type { OwnerId, WidgetId } from '../domain/ids'
import { isSamePair, type KnownIds, widgetsOf, without } from './board'
import { type LocalDatabase, readMeta } from './database'
import type { OutboxEntry } from './outbox-entry'
import type { BoardRows, IdRow, SessionRow } from './rows'
import { type Snapshot, snapshotOf } from './snapshot'
import { boardOf, type BoardView } from './view'
import { writeTransaction } from './write-transaction'

/** The tables that `readSnapshot` reads; a command's transaction names them. */
export const snapshotTables = (db: LocalDatabase) =>
  [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.meta] as const

export async function readKnownIds(db: LocalDatabase): Promise<KnownIds> {
  return new Map((await db.ids.toArray()).map(({ temp, real }) => [temp, real]))
}

export const readEntries = (db: LocalDatabase, owner: OwnerId): Promise<OutboxEntry[]> =>
  db.outbox.where('owner').equals(owner).sortBy('seq')

/** Requests for those of the board's rows that commands change. */
const changingRows = (db: LocalDatabase) =>
  [db.owners.toArray(), db.widgets.toArray(), db.checkpoints.toArray(), db.outbox.toArray(), db.ids.toArray()] as const

/**
 * All requests are made at once: each further wait for the database would delay the screen. Not an async function: Dexie
 * loses a transaction in which such functions call one another too deeply.
 */
export const readBoardRows = (
  db: LocalDatabase,
  known: SessionRow | PromiseLike<SessionRow | undefined> = db.session.get('current'),
): Promise<BoardRows> =>
  Promise.all([...changingRows(db), known, readMeta(db, 'tier_limits'), readMeta(db, 'coins')]).then(
    ([owners, widgets, checkpoints, outbox, ids, session, tiers, coins]) => ({
      owners,
      widgets,
      checkpoints,
      outbox,
      ids,
      session,
      tiers,
      coins,
    }),
  )

/** @param before read earlier in the transaction of a command */
export async function readRowsAfter(db: LocalDatabase, before: BoardRows): Promise<BoardRows> {
  const [owners, widgets, checkpoints, outbox, ids] = await Promise.all(changingRows(db))
  return { ...before, owners, widgets, checkpoints, outbox, ids }
}

/** Undefined before there is an identity. */
export const readSnapshot = (db: LocalDatabase): Promise<Snapshot | undefined> => readBoardRows(db).then(snapshotOf)

/** Reads one moment of the current owner's rows; undefined before there is an identity. */
export const withSnapshot = <T>(
  db: LocalDatabase,
  read: (snapshot: Snapshot) => T | PromiseLike<T>,
): Promise<T | undefined> =>
  db.transaction('r', [...snapshotTables(db)], async () => {
    const session = await db.session.get('current')
    // A live query reads again for all it has read: before there is an identity, in vain for each answer of a first visit.
    const snapshot = session && snapshotOf(await readBoardRows(db, session))
    return snapshot && read(snapshot)
  })

/** Undefined before there is an identity. */
export const readBoard = (db: LocalDatabase): Promise<BoardView | undefined> => withSnapshot(db, boardOf)

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

/** Daily looks through which a temporary id is known here after its last use. */
const KEPT = 30

/**
 * Forgets temporary ids that no row and no entry of any owner has named for 30 days. Called once a day: the calls are
 * counted, since a device's clock may be set meanwhile.
 */
export async function pruneIds(db: LocalDatabase): Promise<void> {
  await writeTransaction(db, [db.widgets, db.checkpoints, db.outbox, db.ids], async () => {
    const [known, widgets, checkpoints, entries] = await Promise.all([
      db.ids.toArray(),
      db.widgets.toCollection().primaryKeys(),
      db.checkpoints.toCollection().primaryKeys(),
      db.outbox.toArray(),
    ])
    // Entries of another version of the app count, too: an id is a string in payloads of any form.
    const used = new Set<string>([...widgets, ...checkpoints, ...entries.flatMap(({ payload }) => stringsIn(payload))])
    const isUsed = ({ temp, real }: IdRow): boolean => used.has(real) || used.has(temp)
    const isOver = ({ unused_looks = 0 }: IdRow): boolean => unused_looks >= KEPT

    const unused = known.filter((row) => !isUsed(row))
    const again = known.filter((row) => isUsed(row) && row.unused_looks !== undefined)
    await db.ids.bulkDelete(unused.filter(isOver).map(({ temp }) => temp))
    await db.ids.bulkPut([
      ...unused.filter((row) => !isOver(row)).map((row) => ({ ...row, unused_looks: (row.unused_looks ?? 0) + 1 })),
      ...again.map(({ temp, real, owner }) => ({ temp, real, ...(owner && { owner }) })),
    ])
  })
}

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
