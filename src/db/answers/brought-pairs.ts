import type { OpId, OwnerId } from '../../domain/ids'
import type { OptimisticWidget } from '../board'
import { readEntries, readKnownIds, readWidgets } from '../board-rows'
import type { LocalDatabase } from '../database'
import { closure, dependsOn } from '../dependents'
import { isLive, isUnsent } from '../mutations/mutation-types'
import { removeShown, ruleBodyOf } from '../outbox'
import type { BroughtPair, EntryError, OutboxEntry } from '../outbox-entry'
import { overlay, type Snapshot } from '../snapshot'
import { decisionsOf } from '../widget-settings'
import { dropEntry, failEntry } from './fail-entry'

/** Names a guest's pair for good: the key of its create stays when the server gives the pair its id. */
export const guestPairId = ({ created_by_op, id }: Pick<OptimisticWidget, 'created_by_op' | 'id'>): string =>
  created_by_op ?? id

/**
 * The Idempotency-Key under which a user gets a thing of a guest: always the same for the same two, so that the server
 * makes the thing once, however often it is asked. The exclusive or of two UUIDs, as a UUID of version 8 (RFC 9562).
 * @param made UUID of the guest's pair or checkpoint
 */
export function keyFor(made: string, user: OwnerId): OpId {
  const [a, b] = [made, user].map((one) => Array.from(one.replaceAll('-', ''), (digit) => Number.parseInt(digit, 16)))
  const digits = a!.map((digit, place) => (digit ^ b![place]!).toString(16)).join('')
  const part = (from: number, to: number) => digits.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}` as OpId
}

/**
 * The key that comes after `key`, whose thing the user has removed: the server keeps that key and makes nothing for it
 * any more. The last four digits count on.
 */
export const keyAfter = (key: OpId): OpId => {
  const next = (Number.parseInt(key.slice(-4), 16) + 1) % 0x1_00_00
  return `${key.slice(0, -4)}${next.toString(16).padStart(4, '0')}` as OpId
}

/** Whether something was made with `key`, or with one that comes after it. */
export const isMadeWith = ({ created_by_op }: { readonly created_by_op: OpId | null }, key: OpId): boolean =>
  created_by_op?.slice(0, -4) === key.slice(0, -4)

/** Fingerprint of the user's decisions about a pair; the server's own changes, such as an alert that fired, are not in it. */
export const printOf = (pair: OptimisticWidget): string =>
  JSON.stringify([
    ...decisionsOf(pair),
    pair.checkpoints.map(({ ratio, timestamp }) => [ratio, Date.parse(timestamp)]),
    ...pair.rules.flatMap(ruleBodyOf),
  ])

type OwnersBoard = Pick<Snapshot, 'owner' | 'rows' | 'entries' | 'ids' | 'shown'>

/** The board of this browser's guest while a user uses it: as the guest has left it, unsent changes included. */
export async function readGuestBoard(db: LocalDatabase, guest: OwnerId): Promise<OwnersBoard> {
  const [widgetsOf, entries, ids] = await Promise.all([readWidgets(db), readEntries(db, guest), readKnownIds(db)])
  const rows = widgetsOf(guest)
  return { owner: guest, rows, entries, ids, shown: overlay(rows, entries, ids, Infinity) }
}

/** How many pairs this browser's guest has. */
export async function countGuestPairs(db: LocalDatabase): Promise<number> {
  const session = await db.session.get('current')
  return session === undefined ? 0 : (await readGuestBoard(db, session.anonymous_id)).shown.length
}

/**
 * Removes the guest's copy of a pair that the server has now made for the user with all its checkpoints. The entry itself
 * has left the outbox.
 * @param now milliseconds
 */
export async function endBrought(
  db: LocalDatabase,
  { owner, group, label, brings }: OutboxEntry,
  now: number,
): Promise<void> {
  if (brings === undefined) return
  const queue = await readEntries(db, owner)
  if (!queue.some((one) => one.group === group)) await removeGuestCopy(db, brings, label, now)
}

/**
 * Removes a pair of this browser's guest; the server learns of the removal when the guest is back. A copy that the guest
 * has changed since it was sent stays: it differs from the user's pair.
 * @param label what the user calls the pair
 * @param now milliseconds
 */
export async function removeGuestCopy(
  db: LocalDatabase,
  { guest, pair, print, removal }: BroughtPair,
  label: string,
  now: number,
): Promise<void> {
  const board = await readGuestBoard(db, guest)
  // The guest's create was refused meanwhile, and the user has the pair: a retry would make the pair a second time.
  const refused = board.entries.find((entry) => entry.op_id === pair && entry.state === 'failed')
  if (refused !== undefined) return dropEntry(db, refused, board.entries, board.ids)
  const copy = board.shown.find((one) => guestPairId(one) === pair)
  if (copy === undefined || printOf(copy) !== print) return
  await removeShown({ db, now: () => now, uuid: () => removal }, board, copy, label)
}

/**
 * Takes back the bringing along of a pair that the server refuses to make for the user, and if a limit refuses the pair,
 * of all that would be refused like it: they stay with the guest, and are offered again. A pair that the user has changed
 * since becomes a refused change, so that the user's changes are not lost.
 * @param now milliseconds
 */
export async function keepWithGuest(
  db: LocalDatabase,
  refused: OutboxEntry,
  error: EntryError,
  byLimit: boolean,
  now: number,
): Promise<void> {
  const ids = await readKnownIds(db)
  const isTakenBack = (one: OutboxEntry): boolean =>
    (one.seq === refused.seq && isLive(one)) ||
    (byLimit && one.kind === 'widget.create@1' && one.brings !== undefined && isUnsent(one))
  for (;;) {
    const queue = await readEntries(db, refused.owner)
    const create = queue.find(isTakenBack)
    if (create === undefined) return
    const own = closure(create, queue, (one, member) => dependsOn(one, member, ids)).filter(
      (one) => one.brings === undefined,
    )
    const isWanted = own.length > 0 && own.every(({ kind }) => kind !== 'widget.delete@1')
    await (isWanted ? failEntry(db, create, error, queue, ids, now) : dropEntry(db, create, queue, ids))
  }
}
