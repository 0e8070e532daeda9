import type { Widget } from '../../contract/widget'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { isSamePair } from '../board'
import { mapId, readEntries, readKnownIds, replaceWidgetRows } from '../board-rows'
import type { LocalDatabase } from '../database'
import { toldAfterPull } from '../held-revisions'
import { isKnown, mutationTypeOf } from '../mutations/mutation-types'
import { leaveSuccess } from '../notices'
import { isMarkedForDeletion, keepOwnPair } from '../outbox'
import type { OutboxEntry } from '../outbox-entry'
import { raiseRevision, readOwnerSyncState } from '../owner-sync-state'
import type { CheckpointRow, OwnerRow, SessionRow, WidgetRow } from '../rows'
import { writeTransaction } from '../write-transaction'
import { endBrought } from './brought-pairs'
interface Pulled {
  readonly widgets: readonly Widget[]
  /** The server's revision of them; null: it names none. */
  readonly listRevision: number | null
}

/** The state from which a pull began. */
export interface BegunPull {
  readonly owner: OwnerId
  /** `applied_rev`: an answer applied since makes the pull out of date. */
  readonly revision: number
  /** `told_revision` */
  readonly told: number | null
}

/**
 * Replaces an owner's rows by those of a pull, and ends the creates that it acknowledges. Returns false, and writes
 * nothing, if the pull may be out of date: another owner uses the app by now, an answer was applied since the pull began,
 * or a change is under way.
 * @param now milliseconds
 */
export async function acceptPull(
  db: LocalDatabase,
  { owner, revision, told }: BegunPull,
  { widgets, listRevision }: Pulled,
  now: number,
): Promise<boolean> {
  const tables = [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices]
  return writeTransaction(db, tables, async () => {
    const session = await db.session.get('current')
    const syncState = await readOwnerSyncState(db, owner)
    const queue = await readEntries(db, owner)
    const underWay = queue.some((entry) => entry.state === 'leased')
    if (session?.owner !== owner || syncState.applied_rev !== revision || underWay) return false
    const lost = await findLost(db, owner, { widgets, listRevision }, queue, syncState)
    await replaceWidgetRows(db, owner, widgets)
    if (lost.length > 0) await keepLost(db, lost)
    await acknowledge(db, widgets, queue, now)
    await adoptPairs(db, owner, widgets, now)
    const given_up = syncState.given_up?.filter((id) => widgets.some((one) => one.id === id))
    await raiseRevision(db, owner, {
      ...afterPull(session, syncState, told, listRevision, now),
      list_revision: listRevision,
      list_steps: [],
      went_back: false,
      whole_pull_at: now,
      ...(given_up && { given_up }),
    })
    return true
  })
}

/**
 * Notes that the rows held here are still the server's. Returns false, and writes nothing, where they are others by now.
 * @param now milliseconds
 */
export async function acceptUnchanged(
  db: LocalDatabase,
  { owner, revision, told }: BegunPull,
  listRevision: number,
  now: number,
): Promise<boolean> {
  return writeTransaction(db, [db.session, db.owners], async () => {
    const session = await db.session.get('current')
    const syncState = await readOwnerSyncState(db, owner)
    if (session?.owner !== owner || syncState.applied_rev !== revision) return false
    await raiseRevision(db, owner, afterPull(session, syncState, told, listRevision, now))
    return true
  })
}

const afterPull = (
  { user }: SessionRow,
  syncState: OwnerRow,
  told: number | null,
  listRevision: number | null,
  now: number,
) => ({
  pulled_at: now,
  pulled_as_premium: user?.has_premium_access ?? false,
  needs_pull: false,
  told_revision: toldAfterPull(syncState, told, listRevision),
})

async function end(db: LocalDatabase, create: OutboxEntry, real: string, now: number): Promise<void> {
  await mapId(db, create.owner, mutationTypeOf(create).createsId(create.payload)!, real)
  await db.outbox.delete(create.seq!)
  await leaveSuccess(db, create, now)
}

/** A row that was made by an entry, waiting or failed, answers it. */
async function acknowledge(
  db: LocalDatabase,
  widgets: readonly Widget[],
  queue: readonly OutboxEntry[],
  now: number,
): Promise<void> {
  const made = new Map<string, string>()
  for (const row of widgets.flatMap((widget) => [widget, ...widget.checkpoints, ...(widget.rules ?? [])])) {
    if (row.created_by_op !== null) made.set(row.created_by_op, row.id)
  }
  for (const entry of queue) {
    const real = made.get(entry.op_id)
    if (real === undefined || !isKnown(entry) || mutationTypeOf(entry).createsId(entry.payload) === null) continue
    await end(db, entry, real, now)
    await endBrought(db, entry, now)
  }
}

/** A waiting create of a pair that is there by now, made elsewhere, is answered by that widget. */
async function adoptPairs(db: LocalDatabase, owner: OwnerId, widgets: readonly Widget[], now: number): Promise<void> {
  const ids = await readKnownIds(db)
  const queue = await readEntries(db, owner)
  for (const entry of queue) {
    if (entry.kind !== 'widget.create@1' || entry.state !== 'waiting') continue
    const widget = widgets.find((one) => isSamePair(one, entry.payload.body))
    if (widget === undefined || isMarkedForDeletion(widget.id, queue, ids)) continue
    await end(db, entry, widget.id, now)
    await keepOwnPair(db, entry)
  }
}

/** A pair that the server no longer has. */
interface LostRow {
  readonly widget: WidgetRow
  readonly checkpoints: readonly CheckpointRow[]
}

/**
 * The owner's pairs that the server has lost, since it was restored from a backup or began anew: its list lacks them, and
 * nobody has removed them. A guest exists in one browser only; another device of a user may have removed a pair, unless
 * the list's revision went back: at that revision all that is held here was still to be made.
 */
async function findLost(
  db: LocalDatabase,
  owner: OwnerId,
  { widgets, listRevision }: Pulled,
  queue: readonly OutboxEntry[],
  { given_up = [], list_revision, went_back = false }: OwnerRow,
): Promise<readonly LostRow[]> {
  const isBack = went_back || (listRevision !== null && list_revision != null && listRevision < list_revision)
  const [rows, ids] = [await db.widgets.where('owner').equals(owner).sortBy('display_order'), await readKnownIds(db)]
  const missing = rows.filter(
    (row) =>
      (isAnonymousOwner(owner) || isBack || row.lost === true) &&
      !widgets.some((one) => one.id === row.id || isSamePair(one, row)) &&
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
async function keepLost(db: LocalDatabase, lost: readonly LostRow[]): Promise<void> {
  const { owner } = lost[0]!.widget
  const rows = await db.widgets.where('owner').equals(owner).sortBy('display_order')
  for (const { widget } of lost) rows.splice(widget.display_order, 0, { ...widget, lost: true })
  await db.widgets.bulkPut(rows.map((row, index) => ({ ...row, display_order: index })))
  await db.checkpoints.bulkPut(lost.flatMap(({ checkpoints }) => checkpoints))
}
