import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { MarketSource } from '../../src/contract/market'
import type { Overview } from '../../src/contract/admin'
import { MINUTE } from '../../src/domain/granularity'
import type { Database, Queryable } from '../db/open'
import { retention_clock } from '../db/schema/jobs'
import type { JobsDeps, PeriodicJob } from '../jobs/periodic'
import { CLOCK_TOLERANCE, judgeClock } from './retention-clock'

export interface RemovalDeps extends JobsDeps {
  /** The source of prices: CoinGecko's answers tell the time, nobody does beside simulated prices. */
  readonly source: MarketSource
}

/** The rows of a table whose time is over. */
export type Outdated = readonly [PgTable, SQL | undefined]

/** Removes, or ends, what has grown old. Both are given the time to go by, milliseconds since 1970. */
interface Removal {
  /** Milliseconds from one run to the next. */
  readonly every: number
  /** The rows that `remove` would take. */
  readonly outdated: (now: number) => readonly Outdated[]
  readonly remove: (now: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * A job that removes or ends rows by their age, while the clock may be believed (`judgeClock`); meanwhile it says how many
 * rows it would take. Every removal by age is such a job.
 */
export const removalJob = (deps: RemovalDeps, name: string, { every, outdated, remove }: Removal): PeriodicJob => ({
  name,
  every,
  run: async (signal) => {
    const time = await readClock(deps)
    if (time === null) await sayWhatWouldGo(deps, name, outdated(deps.clock()))
    else await remove(time, signal)
  },
})

/** Reads the clock often enough for a jump to be seen. */
export const watchClock = (deps: RemovalDeps): PeriodicJob => ({
  name: 'watch-clock',
  every: MINUTE,
  run: async () => void (await readClock(deps)),
})

/** The time that removal by age goes by, milliseconds since 1970; null: nothing may be removed by its age now. */
export async function readClock({ database, clock, logger, source }: RemovalDeps): Promise<number | null> {
  return database.orm.transaction(async (tx) => {
    const now = clock()
    // A database without a record has not been watched: its first reading is doubted like one after a jump.
    await tx
      .insert(retention_clock)
      .values({ name: 'retention', confirmed_at: new Date(0) })
      .onConflictDoNothing()
    const [row] = await tx.select().from(retention_clock).for('no key update')
    if (row === undefined) throw new Error('The record of the retention clock vanished within a transaction')
    const before = {
      confirmed: row.confirmed_at.getTime(),
      doubted: row.doubted_at?.getTime() ?? null,
      heldUntil: row.held_until?.getTime() ?? null,
    }
    const told = { told: row.provider_at?.getTime() ?? null, heardAt: row.provider_heard_at?.getTime() ?? null }
    const witness = source === 'simulated' ? 'nobody' : told
    const { confirmed, doubted, heldUntil, jumped, time } = judgeClock(before, now, witness)
    await tx.update(retention_clock).set({
      confirmed_at: new Date(confirmed),
      doubted_at: doubted === null ? null : new Date(doubted),
      held_until: heldUntil === null ? null : new Date(heldUntil),
      ...(time !== null && { would_remove: {} }),
    })
    const about = { clock: new Date(now), confirmed: row.confirmed_at, provider: row.provider_at }
    if (jumped)
      logger?.warn(
        about,
        'the clock has jumped, drifted or stood still: nothing is removed by its age until it is confirmed',
      )
    else if (before.doubted !== null && doubted === null) logger?.info(about, 'the clock is confirmed')
    return time
  })
}

async function sayWhatWouldGo(
  { database: { orm }, logger, clock }: RemovalDeps,
  job: string,
  outdated: readonly Outdated[],
): Promise<void> {
  const rows: Record<string, number> = {}
  for (const [table, which] of outdated) {
    const count = await orm.$count(table, which)
    if (count > 0) rows[getTableName(table)] = (rows[getTableName(table)] ?? 0) + count
  }
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const mine = sql`jsonb_build_object(${job}::text, ${all}::int)`
  const others = sql`${retention_clock.would_remove} - ${job}::text`
  await orm.update(retention_clock).set({ would_remove: all === 0 ? others : sql`${others} || ${mine}` })
  if (all > 0) logger?.warn({ job, clock: new Date(clock()), rows }, 'rows that would be removed by their age are kept')
}

/** True while this clock is another than the one that was believed last: what it ends could be wrong. */
export const isDoubtedInSql = (now: number): SQL => sql`EXISTS (
  SELECT FROM retention_clock WHERE doubted_at IS NOT NULL
    OR confirmed_at NOT BETWEEN ${new Date(now - CLOCK_TOLERANCE)} AND ${new Date(now + CLOCK_TOLERANCE)})`

/** True while nothing may be removed by its age. */
export const isRemovalHeld = async (db: Queryable, now: number): Promise<boolean> => {
  const { rows } = await db.execute<{ held: boolean }>(sql`
    SELECT ${isDoubtedInSql(now)} OR EXISTS (SELECT FROM retention_clock WHERE held_until > ${new Date(now)}) AS held`)
  return rows[0]!.held
}

/** The operator's figures of a clock that has jumped; null: the clock is believed, and rows go by their age. */
export async function heldRemoval(db: Queryable): Promise<Overview['retention']> {
  const [row] = await db.select().from(retention_clock)
  if (row === undefined || (row.doubted_at === null && row.held_until === null)) return null
  return {
    is_doubted: row.doubted_at !== null,
    held_until: row.held_until?.toISOString() ?? null,
    would_remove: row.would_remove,
  }
}

/** How often at most a time that the provider tells is stored, milliseconds. */
const TOLD_SPACING = MINUTE

/**
 * Stores the times that the provider's answers tell, and what the clock said then, for the clocks of all processes.
 * @param elapsed milliseconds by a clock that nobody sets
 */
export function providerTime(
  { orm }: Pick<Database, 'orm'>,
  logger: JobsDeps['logger'],
  clock: () => number,
  elapsed = () => performance.now(),
): (told: number) => Promise<void> {
  let storedAt = -Infinity
  return async (told) => {
    if (elapsed() < storedAt + TOLD_SPACING) return
    storedAt = elapsed()
    try {
      await orm.update(retention_clock).set({ provider_at: new Date(told), provider_heard_at: new Date(clock()) })
    } catch (error) {
      // The answer itself is of use all the same.
      logger?.warn({ err: error }, 'the time that the provider told could not be stored')
    }
  }
}
