import type { LocalDatabase } from '../database'
import { closure, dependsOn } from '../dependents'
import { guestPairId, printOf, readGuestBoard } from '../guest-pair-keys'
import type { KnownIds } from '../board'
import type { BroughtPair, EntryError, OutboxEntry } from '../outbox-entry'
import { isKnown, isLive, isUnsent, mutationTypeOf } from '../mutations/mutation-types'
import { removeShown } from '../outbox'
import { readEntries, readKnownIds } from '../read-snapshot'

/** Entries refused together with `entry`: those that require it, and those of its group without an answer yet. */
const refusedWith = (entry: OutboxEntry, queue: readonly OutboxEntry[], ids: KnownIds): readonly OutboxEntry[] =>
  closure(
    entry,
    queue.filter((one) => one === entry || (isLive(one) && one.state === 'waiting')),
    (candidate, member) =>
      dependsOn(candidate, member, ids) ||
      (member === entry && entry.group !== null && candidate.group === entry.group),
  )

/** Removes the ids of things that are now never made from lists that were never sent. */
export async function forget(
  db: LocalDatabase,
  gone: readonly OutboxEntry[],
  queue: readonly OutboxEntry[],
): Promise<void> {
  const temps = gone
    .filter(isKnown)
    .map((entry) => mutationTypeOf(entry).createsId(entry.payload))
    .filter((temp) => temp !== null)
  for (const entry of queue) {
    if (gone.includes(entry) || !isUnsent(entry)) continue
    const rules = mutationTypeOf(entry)
    const named = temps.filter((temp) => rules.references(entry.payload).includes(temp))
    if (named.length === 0) continue
    const payload = named.reduce((rest, temp) => rules.withoutReference(rest, temp), entry.payload)
    await db.outbox.put({ ...entry, payload } as OutboxEntry)
  }
}

/**
 * Takes a refused entry off the screen: it and its dependents become failed, which the overlay ignores, so the screen
 * reverts by itself. They can be seen, retried and discarded for seven days.
 * @param queue all entries of the owner
 * @param now milliseconds
 */
export async function failEntry(
  db: LocalDatabase,
  entry: OutboxEntry,
  error: EntryError,
  queue: readonly OutboxEntry[],
  ids: KnownIds,
  now: number,
): Promise<void> {
  const falling = refusedWith(entry, queue, ids)
  for (const { done_before: _, ...one } of falling) {
    await db.outbox.put({ ...one, state: 'failed', lease: null, failed_at: now, last_error: error })
  }
  await forget(db, falling, queue)
}

/** Drops an entry whose thing was made and removed elsewhere, with all entries that depend on it. */
export async function dropEntry(
  db: LocalDatabase,
  entry: OutboxEntry,
  queue: readonly OutboxEntry[],
  ids: KnownIds,
): Promise<void> {
  const falling = closure(entry, queue, (candidate, member) => dependsOn(candidate, member, ids))
  await db.outbox.bulkDelete(falling.map((one) => one.seq!))
  await forget(db, falling, queue)
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
 * Ends the bringing along of a pair that the user has already, made elsewhere: the user's stays as it is, the guest's
 * with the guest. The create has left the outbox; the entries behind it were never sent.
 */
export async function keepOwnPair(db: LocalDatabase, { owner, group, brings }: OutboxEntry): Promise<void> {
  if (brings === undefined) return
  const rest = (await readEntries(db, owner)).filter((one) => one.group === group)
  await db.outbox.bulkDelete(rest.map((one) => one.seq!))
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
