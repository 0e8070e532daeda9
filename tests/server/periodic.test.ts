import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { jobs as table } from '../../server/db/schema/jobs'
import { type Jobs, type PeriodicJob, startJobs } from '../../server/jobs/periodic'
import { housekeeping } from '../../server/jobs/housekeeping'
import { freshDatabase, type TestDatabase } from './support/test-database'
import { testClock } from './support/test-app'

let database: TestDatabase
const started: Jobs[] = []
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await database.orm.delete(table)
})

const start = async (clock: () => number, ...jobs: PeriodicJob[]) => {
  const running = await startJobs({ database, clock }, jobs)
  started.push(running)
  return running
}
const rowOf = async (name: string) => (await database.orm.select().from(table).where(eq(table.name, name)))[0]
const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

test('a job runs at once, then again at its interval, not before', async () => {
  let runs = 0
  await start(Date.now, { name: 'count', every: 150, run: async () => void runs++ })
  const began = performance.now()
  await soon(() => expect(runs).toBeGreaterThanOrEqual(4))
  expect(performance.now() - began).toBeGreaterThan(3 * 150 - 60)
})

test('of several processes, one runs a job at a time', async () => {
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

test('a job that fails is noted and run again', async () => {
  let runs = 0
  const run = async () => {
    if (++runs === 1) throw new Error('no luck')
  }
  await start(Date.now, { name: 'shaky', every: 200, run })
  await soon(async () => expect((await rowOf('shaky'))?.last_error).toBe('no luck'))
  await soon(async () => expect((await rowOf('shaky'))?.last_error).toBeNull())
  expect(runs).toBeGreaterThanOrEqual(2)
})

test('the job of a process that died is taken over when its claim has run out', async () => {
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
  started.push(await startJobs({ database: shared, clock: Date.now }, [{ name: 'orphan', every: 60_000, run: async () => void (ranAt = Date.now()) }])) // prettier-ignore
  await soon(() => expect(ranAt).toBeGreaterThan(0))
  expect(ranAt).toBeGreaterThanOrEqual(now + 400)
})

test('a time that was written while the clock was wrong does not stop a job', async () => {
  await database.orm.insert(table).values({ name: 'ahead', next_run_at: new Date(Date.now() + 7_200_000) })
  let runs = 0
  await start(Date.now, { name: 'ahead', every: 60_000, run: async () => void runs++ })
  await soon(() => expect(runs).toBe(1))
})

test('a job that the server does not have any more is forgotten when it starts', async () => {
  const run = async () => {}
  await (await start(Date.now, { name: 'stays', every: 60_000, run }, { name: 'goes', every: 60_000, run })).stop()
  const stayed = await rowOf('stays')
  await start(Date.now, { name: 'stays', every: 60_000, run })
  expect(await database.orm.select().from(table)).toEqual([stayed])
})

test('stopping tells a running job, and waits for it', async () => {
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

test('a job that nobody runs is reported as late', async () => {
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

test('housekeeping works on this engine', async () => {
  const jobs = housekeeping({ database, clock: Date.now })
  expect(jobs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['expire-operations', 'expire-sessions', 'delete-accounts']),
  )
  expect(jobs.some(({ name }) => name === 'vacuum')).toBe(database.engine === 'pglite')
  for (const job of jobs) await job.run(new AbortController().signal)
})

test('many jobs that wait for their next time are no leak to warn of', async () => {
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
