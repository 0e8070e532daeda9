import type { Widget } from '../../contract/widget'
import { canonical, type KnownIds } from '../ids'
import type { LocalDatabase } from '../database'
import { isLive, rulesOf } from '../kinds/registry'
import type { Entry, EntryError } from '../outbox-entry'
import { readEntries, readKnownIds } from '../snapshot'
import { leaveNote, leaveSuccess } from './notes'
import type { Outcome } from './outcome'
import { changeBook, raiseRevision } from './owner-book'
import { dropEntry, failEntry } from './refuse'
import { putWidgetRow } from './widget-rows'
import { writeTransaction } from '../with-room'

export interface SettleContext {
  readonly db: LocalDatabase
  /** Milliseconds. */
  readonly now: number
  /** Milliseconds to wait before the next attempt, after so many failures in a row. */
  readonly wait: (failures: number, retryAfter: number | null) => number
}

/**
 * Brings an answer home, in one transaction: rows, ids, notices and the entry's end. An answer counts only while its
 * lease is still its own; otherwise somebody else has taken over, and will ask again.
 */
export async function settle(context: SettleContext, leased: Entry, outcome: Outcome): Promise<void> {
  const { db } = context
  const tables = [db.session, db.owners, db.widgets, db.checkpoints, db.outbox, db.ids, db.notices]
  await writeTransaction(db, tables, async () => {
    const entry = await db.outbox.get(leased.seq!)
    if (entry === undefined || entry.state !== 'leased' || entry.lease !== leased.lease) return
    const ids = await readKnownIds(db)
    switch (outcome.kind) {
      case 'done':
        return finish(context, entry, ids, outcome.value)
      case 'already':
        await finish(context, entry, ids, null)
        // What else became of it elsewhere is not known.
        await changeBook(db, entry.owner, { pull_wanted: true })
        return leaveNote(db, entry, 'info', rulesOf(entry).doneNote?.(entry.label), context.now)
      case 'exists':
        return exists(context, entry, ids, outcome)
      case 'removed-since': {
        await dropEntry(db, entry, await queueAround(db, entry), ids)
        await raiseRevision(db, entry.owner, { pull_wanted: true })
        return leaveNote(db, entry, 'info', rulesOf(entry).doneNote?.(entry.label), context.now)
      }
      case 'again': {
        const failures = entry.failures + 1
        return release(db, entry, {
          failures,
          not_before: context.now + context.wait(failures, outcome.retryAfter),
          last_error: outcome.error,
        })
      }
      case 'pause':
        await release(db, entry, { last_error: outcome.error })
        return changeBook(db, entry.owner, { paused: true })
      case 'refused':
        return refuse(context, entry, ids, outcome.error)
      case 'not-sent':
        return release(db, entry, {})
    }
  })
}

/** All entries of the owner, `entry` itself among them. */
const queueAround = async (db: LocalDatabase, entry: Entry): Promise<readonly Entry[]> =>
  (await readEntries(db, entry.owner)).map((one) => (one.seq === entry.seq ? entry : one))

const isSignedIn = async (db: LocalDatabase, entry: Entry): Promise<boolean> =>
  (await db.session.get('current'))?.owner === entry.owner

async function finish({ db, now }: SettleContext, entry: Entry, ids: KnownIds, value: unknown): Promise<void> {
  await rulesOf(entry).apply({ db, ids, rows: await isSignedIn(db, entry) }, entry, value)
  await db.outbox.delete(entry.seq!)
  await raiseRevision(db, entry.owner)
  await leaveSuccess(db, entry, now)
}

/** The pair was made elsewhere: that widget is adopted, unless this device is about to delete it. */
async function exists(
  context: SettleContext,
  entry: Entry,
  ids: KnownIds,
  { widget, error }: { readonly widget: Widget; readonly error: EntryError },
): Promise<void> {
  const { db } = context
  const queue = await readEntries(db, entry.owner)
  if (isMarkedForDeletion(widget.id, queue, ids)) return refuse(context, entry, ids, error)
  await db.ids.put({ temp: rulesOf(entry).makes(entry.payload)!, real: widget.id, owner: entry.owner })
  const known = (await db.widgets.get(widget.id)) !== undefined
  if (!known && (await isSignedIn(db, entry))) await putWidgetRow(db, entry.owner, widget, 'may-insert')
  await db.outbox.delete(entry.seq!)
  await raiseRevision(db, entry.owner, { pull_wanted: true })
}

/** Whether an unanswered entry of this device deletes the widget. */
export const isMarkedForDeletion = (id: string, queue: readonly Entry[], ids: KnownIds): boolean =>
  queue.some(
    (entry) => entry.kind === 'widget.delete@1' && isLive(entry) && canonical(ids, entry.payload.widget) === id,
  )

/** A limit that was not known here: the tier may be another by now. */
const isByLimit = ({ error_code }: EntryError): boolean =>
  error_code === 'WIDGET_LIMIT_REACHED' || error_code === 'CHECKPOINT_LIMIT_REACHED'

async function refuse(context: SettleContext, entry: Entry, ids: KnownIds, error: EntryError): Promise<void> {
  const { db, now } = context
  const queue = await queueAround(db, entry)
  await failEntry(db, entry, error, queue, ids, now)
  // A pull that is under way may not know yet why.
  await raiseRevision(db, entry.owner, { pull_wanted: true, ...(isByLimit(error) && { account_wanted: true }) })
  await leaveNote(db, entry, 'success', entry.done_before, now)
  await leaveNote(db, entry, 'error', rulesOf(entry).refusal(entry, error), now)
}

const release = async (db: LocalDatabase, entry: Entry, change: Partial<Entry>): Promise<void> => {
  await db.outbox.put({ ...entry, ...change, state: 'waiting', lease: null } as Entry)
}
