import type { Widget } from '../../contract/widget'
import { isAnonymousOwner } from '../../domain/ids'
import { canonical, type KnownIds } from '../board'
import {
  deleteWidgetRow,
  giveSlot,
  mapId,
  orderWidgetRows,
  putWidgetRow,
  readCheckpoints,
  readEntries,
  readKnownIds,
  replaceCheckpointRows,
} from '../board-rows'
import type { LocalDatabase } from '../database'
import { revisionAfter } from '../held-revisions'
import type { AnswerRows } from '../mutations/mutation-type'
import { mutationTypeOf } from '../mutations/mutation-types'
import { leaveNotice, leaveSuccess } from '../notices'
import { isMarkedForDeletion, isRemovalOf, keepOwnPair } from '../outbox'
import type { EntryError, OutboxEntry } from '../outbox-entry'
import { changeOwnerSyncState, raiseRevision, readOwnerSyncState } from '../owner-sync-state'
import type { ListStep } from '../rows'
import { writeTransaction } from '../write-transaction'
import { endBrought, keepWithGuest, keyAfter } from './brought-pairs'
import { dropEntry, failEntry } from './fail-entry'
/** Outcome of an outbox entry. */
export type Outcome =
  /** The server did it; `value` fits the schema of the entry's route, null where there is no body. */
  | {
      readonly kind: 'done'
      readonly value: unknown
      /** The server's revisions of the owner's list before and after the change; absent: it does not say. */
      readonly step?: ListStep
    }
  /** The row to remove is gone already. */
  | { readonly kind: 'already'; readonly error: EntryError }
  /** The pair is there, made elsewhere. */
  | { readonly kind: 'exists'; readonly widget: Widget; readonly error: EntryError }
  /** It was made once, and removed elsewhere since. */
  | { readonly kind: 'removed-since' }
  /**
   * A create met NOT_FOUND, and no attempt can have made anything: what it names is gone, or the address was not served.
   * Or it brings a guest's thing along, and its key is spent; see `keyAfter`.
   */
  | { readonly kind: 'not-there'; readonly error: EntryError }
  /** No verdict; nothing is given up. */
  | { readonly kind: 'again'; readonly retryAfter: number | null; readonly error: EntryError }
  /** The owner has to sign in again. */
  | { readonly kind: 'pause'; readonly error: EntryError }
  | { readonly kind: 'refused'; readonly error: EntryError }
  /** The owner is not signed in: nothing was sent. */
  | { readonly kind: 'not-sent' }

export interface OutcomeContext {
  readonly db: LocalDatabase
  /** Milliseconds. */
  readonly now: number
  /** Milliseconds to wait before the next attempt, after so many failures in a row. */
  readonly wait: (failures: number, retryAfter: number | null) => number
}

/** An outcome that is being applied, with the entry as it is stored now. */
interface Applied extends OutcomeContext {
  readonly entry: OutboxEntry
  readonly ids: KnownIds
}

/**
 * Applies an outcome in one transaction: rows, ids, notices and the entry's end. An outcome counts only while its lease is
 * still the entry's; otherwise another context has taken over, and will ask again.
 */
export async function applyOutcome(context: OutcomeContext, leased: OutboxEntry, outcome: Outcome): Promise<void> {
  const { db, now } = context
  const tables = [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices]
  await writeTransaction(db, tables, async () => {
    const entry = await db.outbox.get(leased.seq!)
    if (entry === undefined || entry.state !== 'leased' || entry.lease !== leased.lease) return
    const applied: Applied = { ...context, entry, ids: await readKnownIds(db) }
    switch (outcome.kind) {
      case 'done':
        return finish(applied, outcome.value, outcome.step ?? null)
      case 'already':
        await finish(applied, null, null)
        // The client does not know the row's other changes elsewhere.
        await changeOwnerSyncState(db, entry.owner, { needs_pull: true })
        return leaveNotice(db, entry, 'info', mutationTypeOf(entry).doneNote?.(entry.label), now)
      case 'exists':
        return exists(applied, outcome.widget, outcome.error)
      case 'removed-since':
        return removedSince(applied)
      case 'not-there':
        return notThere(applied, outcome.error)
      case 'again':
        return again(applied, outcome.error, await stalledBy(applied, outcome.error), outcome.retryAfter)
      case 'pause':
        await release(db, entry, { last_error: outcome.error })
        return changeOwnerSyncState(db, entry.owner, { paused: true })
      case 'refused': {
        // A guest's pairs are in one browser only: if the server does not have one, it has lost it, and the list says so.
        const mayBeLost = isAnonymousOwner(entry.owner) && outcome.error.error_code === 'NOT_FOUND'
        if (!mayBeLost || !(await isInDoubt(applied))) return refuse(applied, outcome.error)
        await changeOwnerSyncState(db, entry.owner, { needs_pull: true })
        return again(applied, outcome.error, {})
      }
      case 'not-sent':
        return release(db, entry, {})
    }
  })
}

/** All entries of the owner, `entry` itself among them. */
const queueAround = async ({ db, entry }: Applied): Promise<readonly OutboxEntry[]> =>
  (await readEntries(db, entry.owner)).map((one) => (one.seq === entry.seq ? entry : one))

/** True if the owner's rows are in this browser: they are its present owner or its guest. */
async function hasRows({ db, entry: { owner } }: Applied): Promise<boolean> {
  const session = await db.session.get('current')
  return session?.owner === owner || session?.anonymous_id === owner
}

async function finish(applied: Applied, value: unknown, step: ListStep | null): Promise<void> {
  const { db, ids, entry, now } = applied
  const rows = await hasRows(applied)
  await storeAnswer(applied, mutationTypeOf(entry).answerRows(entry.payload, value, ids), rows)
  await db.outbox.delete(entry.seq!)
  // Rows that are not here are of no revision.
  const moved = rows ? revisionAfter(await readOwnerSyncState(db, entry.owner), step) : {}
  await raiseRevision(db, entry.owner, moved)
  await leaveSuccess(db, entry, now)
  await endBrought(db, entry, now)
}

/** @param rows false for an owner who has signed out: only ids are stored then */
async function storeAnswer({ db, entry, ids }: Applied, answer: AnswerRows, rows: boolean): Promise<void> {
  const { owner, payload } = entry
  const { map, put, drop, order, list, rules, settings } = answer
  const type = mutationTypeOf(entry)
  if (map !== undefined) await mapId(db, owner, type.createsId(payload)!, map)
  if (!rows) return
  if (put !== undefined) await putWidgetRow(db, owner, put, map === undefined ? 'only-present' : 'may-insert')
  if (settings !== undefined) await changeOwnerSyncState(db, owner, { alert_settings: settings })
  if (order !== undefined) await orderWidgetRows(db, owner, order)
  const named = type.widget(payload)
  if (named === null) return
  const widget = canonical(ids, named)
  if (list !== undefined) await replaceCheckpointRows(db, owner, widget, list(await readCheckpoints(db, widget)))
  const row = await db.widgets.get(widget)
  if (rules !== undefined && row !== undefined) await db.widgets.put({ ...row, rules: [...rules(row.rules ?? [])] })
  if (drop !== true) return
  await deleteWidgetRow(db, widget)
  // The server has made the next one active; which one it was, the pull says.
  if (row?.is_active === true && (await giveSlot(db, owner)))
    await changeOwnerSyncState(db, owner, { needs_pull: true })
}

/**
 * The pair is there already: that widget is adopted. If a removal of the widget comes before this create, the create
 * went past that removal because the server could not do it, and a user who adds the pair again no longer wants it
 * removed. A removal that comes later stands, and the create is refused.
 */
async function exists(applied: Applied, widget: Widget, error: EntryError): Promise<void> {
  const { db, entry, ids } = applied
  const queue = await readEntries(db, entry.owner)
  const removals = queue.filter((other) => other.seq! < entry.seq! && isRemovalOf(widget.id, other, ids))
  // Its answer decides whether the pair is there at all.
  if (removals.some(({ state }) => state === 'leased')) return again(applied, error, {})
  await db.outbox.bulkDelete(removals.map(({ seq }) => seq!))
  const others = queue.filter((other) => !removals.includes(other))
  if (isMarkedForDeletion(widget.id, others, ids)) return refuse(applied, error)
  await mapId(db, entry.owner, mutationTypeOf(entry).createsId(entry.payload)!, widget.id)
  const known = (await db.widgets.get(widget.id)) !== undefined
  if (!known && (await hasRows(applied))) await putWidgetRow(db, entry.owner, widget, 'may-insert')
  await db.outbox.delete(entry.seq!)
  // The server may have made it by this entry so long ago that the key is forgotten.
  if (widget.created_by_op !== entry.op_id) await keepOwnPair(db, entry)
  await raiseRevision(db, entry.owner, { needs_pull: true })
}

async function refuse(applied: Applied, error: EntryError): Promise<void> {
  const { db, entry, ids, now } = applied
  // A limit that was not known here: the tier may be another by now.
  const byLimit = error.error_code === 'WIDGET_LIMIT_REACHED' || error.error_code === 'CHECKPOINT_LIMIT_REACHED'
  const isBrought = entry.brings !== undefined && entry.kind === 'widget.create@1'
  if (isBrought) await keepWithGuest(db, entry, error, byLimit, now)
  else await failEntry(db, entry, error, await queueAround(applied), ids, now)
  // A pull that is under way may not know yet why.
  await raiseRevision(db, entry.owner, { needs_pull: true, ...(byLimit && { needs_account_refresh: true }) })
  await leaveNotice(db, entry, 'success', entry.done_before, now)
  await leaveNotice(db, entry, 'error', mutationTypeOf(entry).refusal(entry, error), now)
}

/**
 * True for a NOT_FOUND about a pair that the last list still had: either the server has lost the pair since, or it did not
 * know the address. The list decides, and is asked for.
 */
async function isInDoubt(applied: Applied): Promise<boolean> {
  const { db, entry, ids } = applied
  const widget = mutationTypeOf(entry).widget(entry.payload)
  if (widget === null) return false
  // Rows of a user who is not signed in are not here to be looked at.
  if (!(await hasRows(applied))) return true
  return (await db.widgets.get(canonical(ids, widget)))?.owner === entry.owner
}

async function notThere(applied: Applied, error: EntryError): Promise<void> {
  const { db, entry } = applied
  const unknownAddress = entry.kind === 'widget.create@1'
  if (!unknownAddress && !(await isInDoubt(applied))) return removedSince(applied)
  await changeOwnerSyncState(db, entry.owner, { needs_pull: true })
  const stalled = await stalledBy(applied, error)
  // The user has removed a brought pair since an earlier try, and has asked for it once more.
  const next =
    entry.brings === undefined
      ? { not_found: (entry.not_found ?? 0) + 1 }
      : { op_id: keyAfter(entry.op_id), attempts: 0 }
  return again({ ...applied, entry: { ...entry, ...next } }, error, stalled)
}

async function removedSince(applied: Applied): Promise<void> {
  const { db, entry, ids, now } = applied
  await dropEntry(db, entry, await queueAround(applied), ids)
  await raiseRevision(db, entry.owner, { needs_pull: true })
  await leaveNotice(db, entry, 'info', mutationTypeOf(entry).doneNote?.(entry.label), now)
}

type Stalled = Pick<OutboxEntry, 'stalled' | 'passable'>

function again(
  { db, now, wait, entry }: Applied,
  error: EntryError,
  stalled: Stalled,
  retryAfter: number | null = null,
) {
  const failures = entry.failures + 1
  return release(db, entry, { failures, not_before: now + wait(failures, retryAfter), last_error: error, ...stalled })
}

/** Answers without a verdict after which an entry no longer holds up others, if the server has done something else since. */
const PASSED_AFTER = 10

/** Nothing answered, or an answer about the caller or the server's load: no sign that this entry is the trouble. */
const isOfAll = (status: number): boolean => [0, 401, 408, 425, 429].includes(status)

async function stalledBy({ db, entry }: Applied, { status }: EntryError): Promise<Stalled> {
  if (isOfAll(status)) return {}
  const { applied_rev } = await readOwnerSyncState(db, entry.owner)
  const { answers, since } = entry.stalled ?? { answers: 0, since: applied_rev }
  const stalled = { answers: answers + 1, since }
  const isEnough = stalled.answers >= PASSED_AFTER
  // Beside a stream nothing else asks whether the server answers at all.
  if (isEnough && applied_rev <= since) await changeOwnerSyncState(db, entry.owner, { needs_pull: true })
  return { stalled, passable: isEnough && applied_rev > since }
}

const release = async (db: LocalDatabase, entry: OutboxEntry, change: Partial<OutboxEntry>): Promise<void> => {
  await db.outbox.put({ ...entry, ...change, state: 'waiting', lease: null } as OutboxEntry)
}
