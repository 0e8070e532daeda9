import type { KnownIds } from '../board'
import type { LocalDatabase } from '../database'
import { closure, dependsOn } from '../dependents'
import { isKnown, isLive, isUnsent, mutationTypeOf } from '../mutations/mutation-types'
import type { EntryError, OutboxEntry } from '../outbox-entry'
import { writeTransaction } from '../write-transaction'

/*
 * The end of a change that the server refuses, or whose thing is gone, and of the changes that depend on it.
 */

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
  for (const { done_before: _, failed_looks: __, ...one } of falling) {
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

/** Daily looks through which the user can see, retry and discard a refused change. */
const REFUSED_KEPT = 7

/**
 * Forgets changes that were refused at least seven days ago. The engine looks once a day and looks are counted, since the
 * difference of two times tells nothing once the device's clock was set in between.
 */
export async function forgetRefused(db: LocalDatabase): Promise<void> {
  await writeTransaction(db, [db.outbox], async () => {
    const refused = (await db.outbox.toArray()).filter(({ state }) => state === 'failed')
    const isOver = ({ failed_looks = 0 }: OutboxEntry): boolean => failed_looks >= REFUSED_KEPT
    await db.outbox.bulkDelete(refused.filter(isOver).map(({ seq }) => seq!))
    await db.outbox.bulkPut(
      refused
        .filter((entry) => !isOver(entry))
        .map((entry): OutboxEntry => ({ ...entry, failed_looks: (entry.failed_looks ?? 0) + 1 })),
    )
  })
}
