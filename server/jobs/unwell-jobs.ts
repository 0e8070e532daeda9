import { asc } from 'drizzle-orm'
import type { Queryable } from '../db/open'
import { jobs } from '../db/schema/jobs'
import { isLate } from './periodic'

interface Unwell {
  /** Names of jobs that should have been run long ago. */
  readonly late: string[]
  /** Names of jobs whose last run failed. */
  readonly failing: string[]
}

/**
 * How the periodic work of all processes fares, as the database has it: the process that is asked may run none itself.
 * @param now milliseconds since 1970
 */
export async function unwellJobs(db: Queryable, now: number): Promise<Unwell> {
  const rows = await db.select().from(jobs).orderBy(asc(jobs.name))
  const late = rows.filter((row) => {
    // A run's time is reckoned from the one before: that is how often the job is to be done.
    const every = row.last_started_at === null ? 0 : row.next_run_at.getTime() - row.last_started_at.getTime()
    return isLate(row, Math.max(0, every), now)
  })
  const failing = rows.filter((row) => row.last_error !== null)
  return { late: late.map(({ name }) => name), failing: failing.map(({ name }) => name) }
}
