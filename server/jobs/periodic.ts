import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { and, asc, eq, isNull, lt, notInArray, or } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { isDue } from '../../src/domain/waits'
import { createWakeup, isDueInSql } from '../waits'
import type { Queryable } from '../db/open'
import { jobs as table } from '../db/schema/jobs'
import { messageForLog } from '../logger'
import type { ServiceDeps } from '../services/service-deps'

/** Work that is done again and again, by one process at a time however many share the database. */
export interface PeriodicJob {
  readonly name: string
  /** Milliseconds from one start to the next. */
  readonly every: number
  /**
   * Should end soon after `signal` is aborted: the process stops, or another one has taken the job over. An error is logged,
   * and the job is run again at its next time.
   */
  run(signal: AbortSignal): Promise<void>
}

export interface JobsReport {
  readonly ok: boolean
  /** Names of jobs that should have been run long ago. */
  readonly late: readonly string[]
}

export type Jobs = Awaited<ReturnType<typeof startJobs>>

export interface JobsDeps extends Pick<ServiceDeps, 'database' | 'clock' | 'logger'> {
  /** Milliseconds from one renewal of a claim to the next; another one in tests. */
  readonly claimRenewal?: number
}

/** A process that runs a job renews its claim this often; one that died loses it after the lease. Milliseconds. */
const CLAIM_RENEWAL = 10_000
const CLAIM_LEASE = 30_000
/** Longest pause between two looks at the table, so that a dead process's job is taken over soon. Milliseconds. */
const LONGEST_PAUSE = 5_000
/** Beyond its interval a job may be this late before the process reports that it is not well. Milliseconds. */
const LATENESS_TOLERANCE = MINUTE
/** A job that no process has run for so long belongs to a version or configuration that is gone. Milliseconds. */
const ABANDONED_AFTER = 7 * DAY

/** Starts running `jobs` in this process, each as soon as it is due. `stop` waits for what is running. */
export async function startJobs(deps: JobsDeps, jobs: readonly PeriodicJob[]) {
  const { database, clock } = deps
  if (jobs.length > 0) {
    const names = jobs.map(({ name }) => name)
    await addRows(deps, names)
    // Another process may be of another version or configuration and still run a job that this one does not know.
    const abandoned = lt(table.next_run_at, new Date(clock() - ABANDONED_AFTER))
    await database.orm.delete(table).where(and(notInArray(table.name, names), abandoned))
  }
  // The embedded database has one process only: the process that claimed these is dead.
  if (database.engine === 'pglite') await database.orm.update(table).set({ claimed_until: null, claim: null })

  const stopping = new AbortController()
  // Each job that runs waits for this, however many there are; Node takes more than ten for a leak.
  setMaxListeners(0, stopping.signal)
  const looking = runDueJobs(deps, jobs, stopping.signal)
  return {
    report: () => report(deps, jobs),
    stop: async (): Promise<void> => {
      stopping.abort()
      await looking
    },
  }
}

async function addRows({ database, clock }: JobsDeps, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name, next_run_at: new Date(clock()) }))
  await database.orm.insert(table).values(rows).onConflictDoNothing()
}

/** Looks for due jobs of all with one statement, runs them beside each other, and ends once those that run have ended. */
async function runDueJobs(deps: JobsDeps, jobs: readonly PeriodicJob[], stopping: AbortSignal): Promise<void> {
  const running = new Map<string, Promise<void>>()
  /** The times before which this process leaves a job alone: of two whose clocks differ, one must not take back what it lost. */
  const rests = new Map<string, number>()
  const wakeup = createWakeup()
  stopping.addEventListener('abort', wakeup.notify)
  const start = async (job: PeriodicJob): Promise<void> => {
    try {
      const next = await runIfDue(deps, job, stopping)
      // One that another process has taken shows its claim at the next look.
      if (next === null) return
      rests.set(job.name, next)
      wakeup.notify()
    } catch (error) {
      deps.logger?.error({ err: error, job: job.name }, 'job could not be claimed')
    } finally {
      running.delete(job.name)
    }
  }
  while (!stopping.aborted) {
    let pause = LONGEST_PAUSE
    try {
      const looked = await lookAt(
        deps,
        jobs.filter(({ name }) => !running.has(name)),
        rests,
      )
      if (stopping.aborted) break
      for (const job of looked.due) running.set(job.name, start(job))
      pause = looked.pause
    } catch (error) {
      deps.logger?.error({ err: error }, 'due jobs could not be looked for')
    }
    await wakeup.wait(Math.min(Math.max(pause, 20), LONGEST_PAUSE))
  }
  await Promise.all(running.values())
}

/** @returns the jobs that are due and that no process runs, and milliseconds until the next of the others is due */
async function lookAt(deps: JobsDeps, jobs: readonly PeriodicJob[], rests: ReadonlyMap<string, number>) {
  const now = deps.clock()
  const rows = new Map((await deps.database.orm.select().from(table)).map((row) => [row.name, row]))
  const missing = jobs.filter(({ name }) => !rows.has(name)).map(({ name }) => name)
  // A process of an older version deletes the rows of jobs that it does not know.
  if (missing.length > 0) await addRows(deps, missing)
  const due: PeriodicJob[] = []
  let pause = missing.length > 0 ? 0 : LONGEST_PAUSE
  for (const job of jobs) {
    const row = rows.get(job.name)
    if (row === undefined) continue
    const { next_run_at, claimed_until } = row
    if (claimed_until !== null && !isDue(claimed_until.getTime(), now, 2 * CLAIM_LEASE)) continue
    const times = [next_run_at.getTime(), rests.get(job.name) ?? now]
    const wait = Math.max(...times.map((at) => (isDue(at, now, 2 * job.every) ? 0 : at - now)))
    if (wait === 0) due.push(job)
    else pause = Math.min(pause, wait)
  }
  return { due, pause }
}

/** @returns when it is to run next, milliseconds since 1970; null: it was not due any more */
async function runIfDue(deps: JobsDeps, job: PeriodicJob, stopping: AbortSignal): Promise<number | null> {
  const { database, clock, logger, claimRenewal = CLAIM_RENEWAL } = deps
  const started = clock()
  const claim = randomUUID()
  if (!(await takeClaim(deps, job, claim, started))) return null

  // Made by hand: of AbortSignal.any, a signal that lives as long as the process keeps a trace for each run.
  const ending = new AbortController()
  const end = () => ending.abort()
  stopping.addEventListener('abort', end)
  const renewing = setInterval(() => {
    database.orm
      .update(table)
      .set({ claimed_until: new Date(clock() + CLAIM_LEASE) })
      .where(and(eq(table.name, job.name), eq(table.claim, claim)))
      .returning({ name: table.name })
      .then(
        (renewed) => renewed.length === 0 && end(),
        (error: unknown) => logger?.warn({ err: error, job: job.name }, 'claim could not be renewed'),
      )
  }, claimRenewal)
  let failure: string | null = null
  try {
    await job.run(ending.signal)
  } catch (error) {
    failure = messageForLog(error)
    logger?.error({ err: error, job: job.name }, 'job failed')
  } finally {
    clearInterval(renewing)
    stopping.removeEventListener('abort', end)
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
  return next
}

async function takeClaim({ database }: JobsDeps, job: PeriodicJob, claim: string, now: number): Promise<boolean> {
  const due = isDueInSql(table.next_run_at, now, 2 * job.every)
  const free = or(isNull(table.claimed_until), isDueInSql(table.claimed_until, now, 2 * CLAIM_LEASE))
  const claimed = await database.orm
    .update(table)
    .set({ claim, claimed_until: new Date(now + CLAIM_LEASE), last_started_at: new Date(now) })
    .where(and(eq(table.name, job.name), due, free))
    .returning({ name: table.name })
  return claimed.length > 0
}

/** @param every milliseconds from one run to the next */
const isLate = (row: typeof table.$inferSelect, every: number, now: number): boolean =>
  !isRunning(row, now) && row.next_run_at.getTime() + every + LATENESS_TOLERANCE < now

const isRunning = ({ claimed_until }: typeof table.$inferSelect, now: number): boolean =>
  claimed_until !== null && claimed_until.getTime() > now

async function report({ database, clock }: JobsDeps, jobs: readonly PeriodicJob[]): Promise<JobsReport> {
  const now = clock()
  const rows = await database.orm.select().from(table)
  const late = jobs.filter(({ name, every }) => {
    const row = rows.find((row) => row.name === name)
    // A row that is missing is added at its loop's next look.
    return row !== undefined && isLate(row, every, now)
  })
  return { ok: late.length === 0, late: late.map(({ name }) => name) }
}

export interface JobLateness {
  readonly name: string
  /** Milliseconds since it should have been run; 0: a process runs it, or it is not due. */
  readonly late: number
  /** True if that is too long. */
  readonly isLate: boolean
  /** Its last run failed. */
  readonly failing: boolean
}

/** How jobs of all processes fare. Read from the database: the process that is asked may run none itself. */
export async function jobLateness(db: Queryable, now: number): Promise<readonly JobLateness[]> {
  const rows = await db.select().from(table).orderBy(asc(table.name))
  return rows.map((row) => {
    // The next run's time counts from the start of the last: the difference is the job's interval.
    const every = row.last_started_at === null ? 0 : row.next_run_at.getTime() - row.last_started_at.getTime()
    const late = isRunning(row, now) ? 0 : Math.max(0, now - row.next_run_at.getTime())
    return { name: row.name, late, isLate: isLate(row, Math.max(0, every), now), failing: row.last_error !== null }
  })
}
