/** @module-tag both-engines */
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { DAY } from '../../src/domain/granularity'
import { jobs as table } from '../../server/db/schema/jobs'
import { type Jobs, type PeriodicJob, startJobs } from '../../server/jobs/periodic'
import { housekeeping } from '../../server/jobs/housekeeping'
import { withDatabase } from './support/for-file'
import { testClock } from './support/test-clock'

const started: Jobs[] = []
const database = withDatabase()
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await database.orm.delete(table)
})

const start = async (clock: () => number, ...jobs: PeriodicJob[]) => {
  const running = await startJobs({ database, clock }, jobs)
  started.push(running)
  return running
}
const rowOf = async (name: string) => (await database.rows(table, eq(table.name, name)))[0]
const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

test('a periodic job runs repeatedly, and no sooner than its interval allows', async () => {
  let runs = 0
  await start(Date.now, { name: 'count', every: 150, run: async () => void runs++ })
  const began = performance.now()
  await soon(() => expect(runs).toBeGreaterThanOrEqual(4))
  expect(performance.now() - began).toBeGreaterThan(3 * 150 - 60)
})

test('three job runners on one database never run the same periodic job at the same time', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const job = (): PeriodicJob => ({
    name: 'alone',
    every: 30,
    run: async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running--
      runs++
    },
  })
  await Promise.all([start(Date.now, job()), start(Date.now, job()), start(Date.now, job())])
  await soon(() => expect(runs).toBeGreaterThanOrEqual(10))
  expect(most).toBe(1)
})

test('a periodic job that throws has its error stored and runs again, and a success clears the error', async () => {
  let runs = 0
  const run = async () => {
    if (++runs === 1) throw new Error('no luck')
  }
  await start(Date.now, { name: 'shaky', every: 200, run })
  await soon(async () => expect((await rowOf('shaky'))?.last_error).toBe('no luck'))
  await soon(async () => expect((await rowOf('shaky'))?.last_error).toBeNull())
  expect(runs).toBeGreaterThanOrEqual(2)
})

test('a periodic job claimed by a dead process runs in another process once the claim has expired', async () => {
  const now = Date.now()
  await database.orm.insert(table).values({
    name: 'orphan',
    next_run_at: new Date(now - 1000),
    claimed_until: new Date(now + 400),
    claim: 'a dead process',
  })
  let ranAt = 0
  // As on a shared server: there, other processes may be alive.
  const shared = { ...database, engine: 'postgres' as const }
  started.push(
    await startJobs({ database: shared, clock: Date.now }, [
      { name: 'orphan', every: 60_000, run: async () => void (ranAt = Date.now()) },
    ]),
  )
  await soon(() => expect(ranAt).toBeGreaterThan(0))
  expect(ranAt).toBeGreaterThanOrEqual(now + 400)
})

test('a next run time two hours ahead, stored while the clock was wrong, does not keep a periodic job from running', async () => {
  await database.orm.insert(table).values({ name: 'ahead', next_run_at: new Date(Date.now() + 7_200_000) })
  let runs = 0
  await start(Date.now, { name: 'ahead', every: 60_000, run: async () => void runs++ })
  await soon(() => expect(runs).toBe(1))
})

test('starting the job runner deletes rows that were due over a week ago and leaves newer rows of other processes unchanged', async () => {
  const run = async () => {}
  const clock = testClock()
  const due = (name: string, ago: number) => ({ name, next_run_at: new Date(clock() - ago) })
  await database.orm.insert(table).values([due('long gone', 7 * DAY + 1), due('of another version', 7 * DAY)])
  const other = await rowOf('of another version')
  await (await start(clock, { name: 'stays', every: 60_000, run })).stop()
  const names = (await database.rows(table)).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['of another version', 'stays'])
  expect(await rowOf('of another version')).toEqual(other)
})

test('a periodic job whose row another process deleted adds the row again, runs, and is not reported late meanwhile', async () => {
  let runs = 0
  const jobs = await start(Date.now, { name: 'added', every: 30, run: async () => void runs++ })
  await soon(() => expect(runs).toBeGreaterThanOrEqual(1))
  await database.orm.delete(table)
  expect((await jobs.report()).late).toEqual([])
  const before = runs
  await soon(() => expect(runs).toBeGreaterThan(before + 1))
  expect(await rowOf('added')).toBeDefined()
})

test('the stored error of a periodic job names the failed statement without its parameters', async () => {
  const run = async () => {
    await database.orm.execute(sql`SELECT ${'ada@example.com'}::uuid`)
  }
  await start(Date.now, { name: 'talks', every: 60_000, run })
  await soon(async () => expect((await rowOf('talks'))?.last_error).toContain('Failed query: SELECT $1::uuid'))
  expect((await rowOf('talks'))?.last_error).toContain('invalid input syntax for type uuid')
  expect((await rowOf('talks'))?.last_error).not.toContain('ada@example.com')
})

test('stopping the job runner aborts a running job, waits until the job has ended and releases its claim', async () => {
  let ended = false
  const run = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        setTimeout(() => {
          ended = true
          resolve()
        }, 50)
      })
    })
  const jobs = await start(Date.now, { name: 'long', every: 1000, run })
  await soon(async () => expect((await rowOf('long'))?.claim).toBeTypeOf('string'))
  await jobs.stop()
  expect(ended).toBe(true)
  expect((await rowOf('long'))?.claim).toBeNull()
})

test('the job report names a job as late once its claim has expired and its next run is overdue', async () => {
  const clock = testClock()
  let release = () => {}
  const jobs = await start(clock, {
    name: 'stuck',
    every: 1000,
    run: () => new Promise((resolve) => (release = resolve)),
  })
  await soon(async () => expect((await rowOf('stuck'))?.claim).toBeTypeOf('string'))
  expect(await jobs.report()).toEqual({ ok: true, late: [] })
  // Its process no longer renews the claim: the lease ends, and the time for the next run goes by.
  clock.advance(120_000)
  expect(await jobs.report()).toEqual({ ok: false, late: ['stuck'] })
  release()
})

test('every housekeeping job runs on the database engine under test, and only PGlite has the vacuum job', async () => {
  const jobs = housekeeping({ database, clock: Date.now, source: 'coingecko' })
  expect(jobs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['expire-operations', 'expire-sessions', 'delete-accounts']),
  )
  expect(jobs.some(({ name }) => name === 'vacuum')).toBe(database.engine === 'pglite')
  for (const job of jobs) await job.run(new AbortController().signal)
})

test('fifteen periodic jobs waiting for their next run cause no Node.js process warning', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  let runs = 0
  const run = async () => void runs++
  await start(Date.now, ...Array.from({ length: 15 }, (_, i) => ({ name: `job-${i}`, every: 60, run })))
  await soon(() => expect(runs).toBeGreaterThanOrEqual(45))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
