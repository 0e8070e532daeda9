import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Periodic work; whichever process moves a row's `claimed_until` forward runs that job. */
export const jobs = pgTable('jobs', {
  name: text().primaryKey(),
  next_run_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  /** While in the future, a process runs the job and keeps renewing this; a process that died stops doing so. */
  claimed_until: timestamp({ withTimezone: true, precision: 3 }),
  /** Identifies the claim, so that a process which was too slow does not end another's run. */
  claim: text(),
  last_started_at: timestamp({ withTimezone: true, precision: 3 }),
  last_finished_at: timestamp({ withTimezone: true, precision: 3 }),
  /** Of the last run; null when it went well. */
  last_error: text(),
})
