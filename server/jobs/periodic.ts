import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { and, eq, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { DAY } from '../../src/domain/granularity'
import type { Database } from '../db/open'
import { jobs as table } from '../db/schema/jobs'
import { messageForLog } from '../log-error'

/** Work that is done again and again, by one process at a time however many share the database. */
export interface PeriodicJob {
  readonly name: string
  /** Milliseconds from one start to the next. */
  readonly every: number
  /** Should end soon after `signal` is aborted. An error is logged, and the job is run again at its next time. */
  run(signal: AbortSignal): Promise<void>
}

export interface JobsReport {
  readonly ok: boolean
  /** Names of jobs that should have been run long ago. */
  readonly late: readonly string[]
}

export interface Jobs {
  readonly report: () => Promise<JobsReport>
  /** Waits for what is running. */
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** A process that runs a job renews its claim this often; one that died loses it after the lease. Milliseconds. */
const RENEW = 10_000
const LEASE = 30_000
/** Longest pause between two looks at the table, so that a dead process's job is taken over soon. Milliseconds. */
const LONGEST_PAUSE = 5_000
/** Beyond its interval a job may be this late before the process reports that it is not well. Milliseconds. */
const TOLERANCE = 60_000
/** A job that no process has run for so long belongs to a version or configuration that is gone. Milliseconds. */
const ABANDONED_AFTER = 7 * DAY

/** Starts running `jobs` in this process, each as soon as it is due. */
export async function startJobs(parts: Parts, jobs: readonly PeriodicJob[]): Promise<Jobs> {
  const { database, clock } = parts
  if (jobs.length > 0) {
    const names = jobs.map(({ name }) => name)
    await addRows(parts, names)
    // Another process may be of another version or configuration and still run a job that this one does not know.
    const abandoned = lt(table.next_run_at, new Date(clock() - ABANDONED_AFTER))
    await database.orm.delete(table).where(and(notInArray(table.name, names), abandoned))
  }
  // The embedded database has one process only: whoever claimed these is dead.
  if (database.engine === 'pglite') await database.orm.update(table).set({ claimed_until: null, claim: null })

  const stopping = new AbortController()
  // Each job waits for this between its runs, however many there are; Node takes more than ten for a leak.
  setMaxListeners(0, stopping.signal)
  const loops = jobs.map((job) => repeat(parts, job, stopping.signal))
  return {
    report: () => report(parts, jobs),
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

const addRows = async ({ database, clock }: Parts, names: readonly string[]): Promise<void> => {
  const rows = names.map((name) => ({ name, next_run_at: new Date(clock()) }))
  await database.orm.insert(table).values(rows).onConflictDoNothing()
}

async function repeat(parts: Parts, job: PeriodicJob, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    let pause = LONGEST_PAUSE
    try {
      pause = await runIfDue(parts, job, stopping)
    } catch (error) {
      parts.logger?.error({ err: error, job: job.name }, 'job could not be claimed')
    }
    await sleep(Math.min(Math.max(pause, 20), LONGEST_PAUSE), stopping)
  }
}

/** @returns milliseconds until it is worth looking again */
async function runIfDue(parts: Parts, job: PeriodicJob, stopping: AbortSignal): Promise<number> {
  const { database, clock, logger } = parts
  const started = clock()
  const claim = randomUUID()
  if (!(await takeClaim(parts, job, claim, started))) return nextLook(parts, job)

  const renewing = setInterval(() => {
    database.orm
      .update(table)
      .set({ claimed_until: new Date(clock() + LEASE) })
      .where(and(eq(table.name, job.name), eq(table.claim, claim)))
      .catch((error: unknown) => logger?.warn({ err: error, job: job.name }, 'claim could not be renewed'))
  }, RENEW)
  let failure: string | null = null
  try {
    await job.run(stopping)
  } catch (error) {
    failure = messageForLog(error)
    logger?.error({ err: error, job: job.name }, 'job failed')
  } finally {
    clearInterval(renewing)
  }
  const next = Math.max(started + job.every, clock())
  await database.orm
    .update(table)
    .set({
      next_run_at: new Date(next),
      claimed_until: null,
      claim: null,
      last_finished_at: new Date(clock()),
      last_error: failure,
    })
    .where(and(eq(table.name, job.name), eq(table.claim, claim)))
  return next - clock()
}

async function takeClaim({ database }: Parts, job: PeriodicJob, claim: string, now: number): Promise<boolean> {
  // A time further ahead than it can be was written while the clock was wrong.
  const due = or(lte(table.next_run_at, new Date(now)), sql`${table.next_run_at} > ${new Date(now + 2 * job.every)}`)
  const free = or(
    isNull(table.claimed_until),
    lte(table.claimed_until, new Date(now)),
    sql`${table.claimed_until} > ${new Date(now + 2 * LEASE)}`,
  )
  const claimed = await database.orm
    .update(table)
    .set({ claim, claimed_until: new Date(now + LEASE), last_started_at: new Date(now) })
    .where(and(eq(table.name, job.name), due, free))
    .returning({ name: table.name })
  return claimed.length > 0
}

async function nextLook(parts: Parts, job: PeriodicJob): Promise<number> {
  const { database, clock } = parts
  const [row] = await database.orm.select({ at: table.next_run_at }).from(table).where(eq(table.name, job.name))
  if (row === undefined) {
    // A process of an older version deletes the rows of jobs that it does not know.
    await addRows(parts, [job.name])
    return 0
  }
  const pause = row.at.getTime() - clock()
  return pause > 0 ? pause : LONGEST_PAUSE
}

/** @param every milliseconds from one run to the next */
export function isLate(
  row: Pick<typeof table.$inferSelect, 'claimed_until' | 'next_run_at'>,
  every: number,
  now: number,
): boolean {
  // prettier-ignore
  const running = row.claimed_until !== null && row.claimed_until.getTime() > now
  return !running && row.next_run_at.getTime() + every + TOLERANCE < now
}

async function report({ database, clock }: Parts, jobs: readonly PeriodicJob[]): Promise<JobsReport> {
  const now = clock()
  const rows = await database.orm.select().from(table)
  const late = jobs.filter(({ name, every }) => {
    const row = rows.find((row) => row.name === name)
    // A row that is missing is added at its loop's next look.
    return row !== undefined && isLate(row, every, now)
  })
  return { ok: late.length === 0, late: late.map(({ name }) => name) }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
