import { sql } from 'drizzle-orm'
import { check, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/** One row: how far the clock may be believed when rows are removed by their age. See `services/removal-job.ts`. */
export const retention_clock = pgTable(
  'retention_clock',
  {
    /** Always `retention`. */
    name: text().primaryKey(),
    /** The latest time that was believed. */
    confirmed_at: instant().notNull(),
    /** The latest reading of a clock that nothing else has confirmed since it jumped; null: the clock is believed. */
    doubted_at: instant(),
    /** Nothing is removed by its age before; null: no jump is that recent. */
    held_until: instant(),
    /** The latest time that an answer of the market's provider has told. */
    provider_at: instant(),
    /** Reading of the clock of the process that got this answer; null: an earlier version of the server did not note it. */
    provider_heard_at: instant(),
    /** Numbers of rows that jobs would have removed while nothing was removed, by job. */
    would_remove: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
  },
  (table) => [check('retention_clock_single', sql`${table.name} = 'retention'`)],
)

/** One row: the concerns of which superusers have been told by mail. See `services/admin/tell-operators.ts`. */
export const operator_notice = pgTable(
  'operator_notice',
  {
    /** Always `concerns`. */
    name: text().primaryKey(),
    /** Kinds of the concerns that the last mail told, and when it was put into the queue; null: none was yet. */
    told: text().array().notNull().default([]),
    told_at: instant(),
    /** Kinds at the last look: what is there at one look alone is told to nobody. */
    seen: text().array().notNull().default([]),
  },
  (table) => [check('operator_notice_single', sql`${table.name} = 'concerns'`)],
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
