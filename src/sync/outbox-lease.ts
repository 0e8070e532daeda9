import type { WidgetRow } from '../db/rows'
import { readLost } from '../db/lost-pairs'
import { DAY } from '../domain/granularity'
import { isTempId } from '../domain/ids'
import { readOwnerSyncState } from '../db/answers/owner-sync-state'
import type { KnownIds } from '../db/ids'
import { isUnsent, mutationTypeOf, type WireRequest } from '../db/mutations/mutation-types'
import type { OutboxEntry } from '../db/outbox-entry'
import { isServed } from '../db/account'
import { readEntries, readKnownIds } from '../db/snapshot'
import { type LostPairIds, nextDueAt, nextToSend } from './blocking'
import type { EngineEnv } from './env'
import { writeTransaction } from '../db/write-transaction'

/** Refused changes can be seen, retried and discarded for this long, milliseconds. */
const FAILED_KEPT = 7 * DAY

/** An entry that is under way, and what goes over the wire for it. */
export interface Leased {
  readonly entry: OutboxEntry
  readonly request: WireRequest
}

/** The holder of the drain's lock frees what earlier holders left: they are gone. */
export async function takeOverLeases({ db, now }: EngineEnv): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const entries = await db.outbox.toArray()
    const left = entries.filter((entry) => entry.state === 'leased')
    await db.outbox.bulkPut(left.map((entry): OutboxEntry => ({ ...entry, state: 'waiting', lease: null })))
    const old = entries.filter(
      ({ state, failed_at }) => state === 'failed' && failed_at !== null && now() - failed_at > FAILED_KEPT,
    )
    await db.outbox.bulkDelete(old.map((entry) => entry.seq!))
  })
}

/**
 * Leases the next entry of whoever uses the app now, in a transaction of its own. The attempt counts from here on: what
 * was leased may reach the server, whatever becomes of this process.
 */
export async function leaseNext({ db, now, token }: EngineEnv): Promise<Leased | undefined> {
  return writeTransaction(db, [db.session, db.owners, db.outbox, db.ids, db.widgets], async () => {
    const session = await db.session.get('current')
    if (session === undefined || !isServed(session, await readOwnerSyncState(db, session.owner))) return undefined
    const ids = await readKnownIds(db)
    const lost = idsOf(await readLost(db, session.owner))
    const next = nextToSend(await readEntries(db, session.owner), ids, lost, now())
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

const idsOf = (lost: readonly WidgetRow[]): LostPairIds => new Set(lost.map(({ id }) => id))

/** An order that goes past a create names what is not made yet: sent once, it must never change, so it loses that now. */
const withoutUnmade = (entry: OutboxEntry, ids: KnownIds): OutboxEntry => {
  if (!isUnsent(entry)) return entry
  const rules = mutationTypeOf(entry)
  const unmade = rules.references(entry.payload).filter((id) => isTempId(id) && !ids.has(id))
  if (unmade.length === 0) return entry
  return {
    ...entry,
    payload: unmade.reduce((rest, id) => rules.withoutReference(rest, id), entry.payload),
  } as OutboxEntry
}

/** Milliseconds at which the next entry that nothing blocks is due; null: none. */
export async function outboxDueAt({ db, now }: EngineEnv): Promise<number | null> {
  return db.transaction('r', [db.session, db.owners, db.outbox, db.ids, db.widgets], async () => {
    const session = await db.session.get('current')
    if (session === undefined || !isServed(session, await readOwnerSyncState(db, session.owner))) return null
    const [entries, ids, lost] = await Promise.all([
      readEntries(db, session.owner),
      readKnownIds(db),
      readLost(db, session.owner),
    ])
    return nextDueAt(entries, ids, idsOf(lost), now())
  })
}

/**
 * The network is back: what failed for want of one need not wait out its backoff, except for the shortest wait after its
 * last attempt. Refusals to serve (429, 5xx) and the layout's debounce stay as they are.
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
