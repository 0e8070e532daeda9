import { and, asc, eq, inArray, lt, notExists, or, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../db/open'
import { removeInBatches } from '../db/remove-in-batches'
import { alert_events } from '../db/schema/alerts'
import { retention_clock } from '../db/schema/jobs'
import { owners } from '../db/schema/users'
import { operations, widgets } from '../db/schema/widgets'
import type { JobsDeps, PeriodicJob } from '../jobs/periodic'
import type { Caller } from './caller'
import { KEPT_FOR } from './kept-for'
import { dayOf } from './owners'
import { judgeClock } from './retention-clock'
import { holdWidgets } from './widgets/arrange'

/**
 * A job that removes rows by their age, unless this process's clock is further ahead than the database can confirm. Every
 * removal by age is such a job.
 * @param every milliseconds
 * @param remove gets the time to go by, milliseconds since 1970
 */
export const removalJob = (
  deps: JobsDeps,
  name: string,
  every: number,
  remove: (now: number, signal: AbortSignal) => Promise<unknown>,
): PeriodicJob => ({
  name,
  every,
  run: async (signal) => {
    const time = await retentionTime(deps)
    if (time !== null) await remove(time, signal)
  },
})

/** The time that removal by age goes by, milliseconds since 1970; null: nothing may be removed by its age now. */
async function retentionTime({ database, clock, logger }: JobsDeps): Promise<number | null> {
  return database.orm.transaction(async (tx) => {
    const now = clock()
    await tx
      .insert(retention_clock)
      .values({ name: 'retention', confirmed_at: new Date(now) })
      .onConflictDoNothing()
    const [row] = await tx.select().from(retention_clock).for('no key update')
    if (row === undefined) throw new Error('The record of the retention clock vanished within a transaction')
    const before = { confirmed: row.confirmed_at.getTime(), doubted: row.doubted_at?.getTime() ?? null }
    const { confirmed, doubted, time } = judgeClock(before, now)
    await tx.update(retention_clock).set({
      confirmed_at: new Date(confirmed),
      doubted_at: doubted === null ? null : new Date(doubted),
    })
    if (time === null && doubted !== before.doubted) {
      logger?.warn(
        { clock: new Date(now), confirmed: row.confirmed_at },
        'the clock is more than a day ahead of the latest time known: nothing is removed by its age until it is confirmed',
      )
    }
    return time
  })
}

/** Rows of one owner that one statement removes. */
const OWNER_ROWS_BATCH = 5000

/**
 * Removes owners, which the transaction holds, and everything that is theirs. Rows of which one owner can have many go
 * first, so many at a time; the foreign keys take the rest.
 */
export async function removeOwners(tx: Queryable, ids: readonly string[]): Promise<void> {
  // First, as in every transaction that needs several widgets (decision 0049).
  await holdWidgets(tx, inArray(widgets.owner_id, ids))
  const all = { rows: OWNER_ROWS_BATCH, batches: Infinity }
  await removeInBatches(tx, alert_events, inArray(alert_events.owner_id, ids), all)
  await removeInBatches(tx, operations, inArray(operations.owner_id, ids), all)
  await tx.delete(owners).where(inArray(owners.id, ids))
}

/** Guests that one transaction removes, and how many transactions one run makes. */
const GUEST_BATCH = 10
const MAX_BATCHES = 1000

/**
 * Removes the guests whose browsers were not seen for long enough, and everything that is theirs.
 * @param now milliseconds since 1970
 * @returns how many there were
 */
export async function removeGuests({ orm }: Database, now: number, signal?: AbortSignal): Promise<number> {
  const pairs = orm
    .select({ one: sql`1` })
    .from(widgets)
    .where(eq(widgets.owner_id, owners.id))
  const unseen = or(
    lt(owners.last_seen, dayOf(now - KEPT_FOR.guest)),
    and(lt(owners.last_seen, dayOf(now - KEPT_FOR.guestWithoutPairs)), notExists(pairs)),
  )
  let removed = 0
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    if (signal?.aborted === true) break
    const batch = await orm.transaction(async (tx) => {
      // Judged again once locked: a guest who comes back at the last moment keeps everything.
      const rows = await tx
        .select({ id: owners.id })
        .from(owners)
        .where(and(eq(owners.kind, 'guest'), unseen))
        .orderBy(asc(owners.last_seen))
        .limit(GUEST_BATCH)
        .for('no key update', { skipLocked: true })
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await removeOwners(tx, ids)
      return ids.length
    })
    removed += batch
    if (batch === 0) break
  }
  return removed
}

/** Removes a guest and everything that is theirs. One whom the server does not know has been removed already. */
export async function deleteGuest({ orm, changes }: Database, caller: Caller): Promise<void> {
  if (caller.kind !== 'guest') throw new Error('Users are deleted by account-deletion.ts')
  const gone = await orm.transaction(async (tx) => {
    // In turn with the guest's changes, as an owner's changes are (decision 0032).
    const [row] = await tx
      .select({ id: owners.id })
      .from(owners)
      .where(eq(owners.anonymous_hash, caller.anonymousHash))
      .for('no key update')
    if (row !== undefined) await removeOwners(tx, [row.id])
    return row
  })
  // The revision has gone with the owner: as of a guest who is not stored, it is 0.
  if (gone !== undefined) changes.publish([{ kind: 'widgets', owner: gone.id, revision: 0 }])
}
