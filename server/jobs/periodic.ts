import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { and, eq, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/open'
import { jobs as table } from '../db/schema/jobs'

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

/** Starts running `jobs` in this process, each as soon as it is due. */
export async function startJobs(parts: Parts, jobs: readonly PeriodicJob[]): Promise<Jobs> {
  const { database, clock } = parts
  if (jobs.length > 0) {
    const first = jobs.map(({ name }) => ({ name, next_run_at: new Date(clock()) }))
    await database.orm.insert(table).values(first).onConflictDoNothing()
    // What an earlier version or configuration did would be late for ever. All processes are set up alike.
    await database.orm.delete(table).where(notInArray(table.name, jobs.map(({ name }) => name))) // prettier-ignore
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
    failure = error instanceof Error ? error.message : String(error)
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

async function nextLook({ database, clock }: Parts, job: PeriodicJob): Promise<number> {
  const [row] = await database.orm.select({ at: table.next_run_at }).from(table).where(eq(table.name, job.name))
  const pause = (row?.at.getTime() ?? 0) - clock()
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
    return row === undefined || isLate(row, every, now)
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
