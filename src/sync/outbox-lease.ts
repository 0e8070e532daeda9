import { isServed } from '../db/account'
import { readOwnerSyncState } from '../db/owner-sync-state'
import type { LocalDatabase } from '../db/database'
import { readLost } from '../db/lost-pairs'
import { canonical, type KnownIds } from '../db/board'
import type { OutboxEntry } from '../db/outbox-entry'
import type { ConflictClass, WireRequest } from '../db/mutations/mutation-type'
import { isLive, isUnsent, mutationTypeOf } from '../db/mutations/mutation-types'
import { readEntries, readKnownIds } from '../db/board-rows'
import { writeTransaction } from '../db/write-transaction'
import { isTempId } from '../domain/ids'
import type { EngineEnv } from './env'
import { isRetryDue } from './pacing'

/** An entry that is under way, and its request. */
export interface Leased {
  readonly entry: OutboxEntry
  readonly request: WireRequest
}

/** The holder of the drain's lock frees the leases of earlier holders, which are gone. */
export async function takeOverLeases({ db }: EngineEnv): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const left = (await db.outbox.toArray()).filter((entry) => entry.state === 'leased')
    await db.outbox.bulkPut(left.map((entry): OutboxEntry => ({ ...entry, state: 'waiting', lease: null })))
  })
}

/**
 * Leases the next entry of the present owner, in a transaction of its own. The attempt counts from here on: its request
 * may reach the server even if this process ends.
 */
export async function leaseNext({ db, now, token }: EngineEnv): Promise<Leased | undefined> {
  return writeTransaction(db, [db.session, db.owners, db.outbox, db.ids, db.widgets], async () => {
    const queue = await readQueue(db)
    if (queue === undefined) return undefined
    const { entries, ids, lost } = queue
    const next = nextToSend(entries, ids, lost, now())
    if (next === undefined) return undefined
    const entry: OutboxEntry = {
      ...withoutUnmade(next, ids),
      state: 'leased',
      lease: token(),
      leased_since: now(),
      attempts: next.attempts + 1,
    }
    await db.outbox.put(entry)
    return { entry, request: mutationTypeOf(entry).request(entry.payload, ids) }
  })
}

/** The outbox of the present owner; undefined: the server may not be asked in the owner's name. */
async function readQueue(db: LocalDatabase) {
  const session = await db.session.get('current')
  if (session === undefined || !isServed(session, await readOwnerSyncState(db, session.owner))) return undefined
  const { owner } = session
  const [entries, ids, lost] = await Promise.all([readEntries(db, owner), readKnownIds(db), readLost(db, owner)])
  return { entries, ids, lost: new Set(lost.map(({ id }) => id)) }
}

/** A reorder sent before a create must not name the id of that create, since a sent payload never changes. */
const withoutUnmade = (entry: OutboxEntry, ids: KnownIds): OutboxEntry => {
  if (!isUnsent(entry)) return entry
  const rules = mutationTypeOf(entry)
  const unmade = rules.references(entry.payload).filter((id) => isTempId(id) && !ids.has(id))
  const payload = unmade.reduce((rest, id) => rules.withoutReference(rest, id), entry.payload)
  return { ...entry, payload } as OutboxEntry
}

/** Milliseconds at which the next entry that nothing blocks is due; null: none. */
export async function outboxDueAt({ db, now }: EngineEnv): Promise<number | null> {
  return db.transaction('r', [db.session, db.owners, db.outbox, db.ids, db.widgets], async () => {
    const queue = await readQueue(db)
    return queue === undefined ? null : nextDueAt(queue.entries, queue.ids, queue.lost, now())
  })
}

/**
 * The network is back: an entry that failed for want of one waits only the shortest wait after its last attempt, not its
 * backoff. Refusals to serve (429, 5xx) and the layout's debounce stay as they are.
 */
export async function forgetOutage({ db, now }: EngineEnv, shortestWait: number): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const entries = await db.outbox.toArray()
    const cut = entries.filter((entry) => entry.state === 'waiting' && entry.last_error?.status === 0)
    await db.outbox.bulkPut(
      cut.map((entry): OutboxEntry => {
        const soon = Math.min(now(), entry.leased_since ?? 0) + shortestWait
        return { ...entry, not_before: Math.min(entry.not_before, soon) }
      }),
    )
  })
}

/*
 *   what may run at the same time, and what waits for whom (earlier one above, later one to the left)
 *
 *                     create   delete   reorder   change
 *   create            waits    waits    waits     –        a create waits for all earlier creates and deletes
 *   delete            –        –        waits     –        creates and deletes wait for an earlier reorder
 *   reorder           waits    waits    waits     (1)
 *   change            –        –        (1)       –
 *
 *   entries of one widget always go in their order; (1) nothing is under way beside a reorder, either way round;
 *   an entry that the server cannot do although it does others (`passable`), and what stands behind it, is waited for
 *   by its own widget only
 */

/** Pairs that the server has lost: their mutations wait until the guest has decided on restoring them. */
type LostPairIds = ReadonlySet<string>

const resolved = (entry: OutboxEntry, ids: KnownIds): boolean =>
  mutationTypeOf(entry)
    .requires(entry.payload)
    .every((id) => !isTempId(id) || ids.has(id))

const widgetOf = (entry: OutboxEntry, ids: KnownIds): string | null => {
  const widget = mutationTypeOf(entry).widget(entry.payload)
  return widget === null ? null : canonical(ids, widget)
}

/** Entries that hold up their own widget only: those the server cannot do, and those that stand behind one. */
function passableIn(queue: readonly OutboxEntry[], ids: KnownIds): ReadonlySet<string> {
  const stuck = queue.filter((entry) => entry.passable === true && isLive(entry))
  const isBehind = (entry: OutboxEntry, first: OutboxEntry): boolean => {
    const widget = widgetOf(entry, ids)
    return entry.seq! > first.seq! && widget !== null && widget === widgetOf(first, ids)
  }
  const passable = queue.filter(
    (entry) => stuck.includes(entry) || (isLive(entry) && stuck.some((first) => isBehind(entry, first))),
  )
  return new Set(passable.map((entry) => entry.op_id))
}

/**
 * If the second create overtook the first, the first would get PAIR_EXISTS with the second's widget, and its later changes
 * would land there.
 */
const makesSamePair = (a: OutboxEntry, b: OutboxEntry): boolean =>
  a.kind === 'widget.create@1' &&
  b.kind === 'widget.create@1' &&
  a.payload.body.coin_a_id === b.payload.body.coin_a_id &&
  a.payload.body.coin_b_id === b.payload.body.coin_b_id

/** By an entry's class, the classes of earlier entries that it waits for: the table above. */
const WAITS_FOR: Readonly<Record<ConflictClass, readonly ConflictClass[]>> = {
  create: ['create', 'delete', 'reorder'],
  delete: ['reorder'],
  reorder: ['create', 'delete', 'reorder'],
  change: [],
}

/** True if `entry` must wait for `other`, even once it is due. */
function waitsFor(entry: OutboxEntry, other: OutboxEntry, ids: KnownIds, passable: ReadonlySet<string>): boolean {
  const mine = mutationTypeOf(entry).conflictClass
  const its = mutationTypeOf(other).conflictClass
  if (other.state === 'leased' && (mine === 'reorder' || its === 'reorder')) return true
  if (other.seq! > entry.seq!) return false
  const widget = widgetOf(entry, ids)
  if (widget !== null && widget === widgetOf(other, ids)) return true
  if (passable.has(other.op_id) && !makesSamePair(entry, other)) return false
  return WAITS_FOR[mine].includes(its)
}

/**
 * True if anything but the clock keeps an entry from being sent.
 * @param queue all entries of its owner
 */
export function isBlocked(
  entry: OutboxEntry,
  queue: readonly OutboxEntry[],
  ids: KnownIds,
  lost: LostPairIds,
): boolean {
  if (entry.state !== 'waiting' || !isLive(entry) || !resolved(entry, ids)) return true
  const widget = widgetOf(entry, ids)
  if (widget !== null && lost.has(widget)) return true
  const passable = passableIn(queue, ids)
  return queue.some((other) => other.op_id !== entry.op_id && isLive(other) && waitsFor(entry, other, ids, passable))
}

/** The first entry that may be sent now. */
export const nextToSend = (
  queue: readonly OutboxEntry[],
  ids: KnownIds,
  lost: LostPairIds,
  now: number,
): OutboxEntry | undefined =>
  queue.find((entry) => isRetryDue(entry.not_before, now) && !isBlocked(entry, queue, ids, lost))

/** Milliseconds at which the next entry that nothing blocks is due; null: none. */
function nextDueAt(queue: readonly OutboxEntry[], ids: KnownIds, lost: LostPairIds, now: number): number | null {
  const times = queue
    .filter((entry) => !isBlocked(entry, queue, ids, lost))
    .map((entry) => (isRetryDue(entry.not_before, now) ? now : entry.not_before))
  return times.length === 0 ? null : Math.min(...times)
}
