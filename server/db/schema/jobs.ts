import { sql } from 'drizzle-orm'
import { check, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/** One row: how far the clock may be believed when rows are removed by their age. See `services/retention.ts`. */
export const retention_clock = pgTable(
  'retention_clock',
  {
    /** Always `retention`. */
    name: text().primaryKey(),
    /** The latest time that removal went by. */
    confirmed_at: instant().notNull(),
    /** A time more than a day ahead of that, as a clock first showed it; null: the clock is not doubted. */
    doubted_at: instant(),
  },
  (table) => [check('retention_clock_single', sql`${table.name} = 'retention'`)],
)

/** Periodic work; whichever process moves a row's `claimed_until` forward runs that job. */
export const jobs = pgTable('jobs', {
  name: text().primaryKey(),
  next_run_at: instant().notNull(),
  /** While in the future, a process runs the job and keeps renewing this; a process that died stops doing so. */
  claimed_until: instant(),
  /** Identifies the claim, so that a process which was too slow does not end another's run. */
  claim: text(),
  last_started_at: instant(),
  last_finished_at: instant(),
  /** Of the last run; null when it went well. */
  last_error: text(),
})
