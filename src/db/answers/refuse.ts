import type { KnownIds } from '../ids'
import type { LocalDatabase } from '../database'
import { closure, dependsOn } from '../dependents'
import { isKnown, isLive, isUnsent, rulesOf } from '../kinds/registry'
import type { Entry, EntryError } from '../outbox-entry'

/** Who goes down with `entry`: those that make no sense without it, and of its group those without an answer yet. */
const fallingWith = (entry: Entry, queue: readonly Entry[], ids: KnownIds): readonly Entry[] =>
  closure(
    entry,
    queue.filter((one) => one === entry || (isLive(one) && one.state === 'waiting')),
    (candidate, member) =>
      dependsOn(candidate, member, ids) ||
      (member === entry && entry.group !== null && candidate.group === entry.group),
  )

/** Lists that mention what will now not be made, and that were never sent, lose its id. */
export async function forget(db: LocalDatabase, gone: readonly Entry[], queue: readonly Entry[]): Promise<void> {
  const temps = gone
    .filter(isKnown)
    .map((entry) => rulesOf(entry).makes(entry.payload))
    .filter((temp) => temp !== null)
  for (const entry of queue) {
    if (gone.includes(entry) || !isUnsent(entry)) continue
    const rules = rulesOf(entry)
    const named = temps.filter((temp) => rules.mentions(entry.payload).includes(temp))
    if (named.length === 0) continue
    const payload = named.reduce((rest, temp) => rules.without(rest, temp), entry.payload)
    await db.outbox.put({ ...entry, payload } as Entry)
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
  entry: Entry,
  error: EntryError,
  queue: readonly Entry[],
  ids: KnownIds,
  now: number,
): Promise<void> {
  const falling = fallingWith(entry, queue, ids)
  for (const { done_before: _, ...one } of falling) {
    await db.outbox.put({ ...one, state: 'failed', lease: null, failed_at: now, last_error: error })
  }
  await forget(db, falling, queue)
}

/** Drops an entry whose thing was made and removed elsewhere, with everything that was done to the thing. */
export async function dropEntry(
  db: LocalDatabase,
  entry: Entry,
  queue: readonly Entry[],
  ids: KnownIds,
): Promise<void> {
  const falling = closure(entry, queue, (candidate, member) => dependsOn(candidate, member, ids))
  await db.outbox.bulkDelete(falling.map((one) => one.seq!))
  await forget(db, falling, queue)
}
