import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { jobs as table } from '../../server/db/schema/jobs'
import { type Jobs, startJobs } from '../../server/jobs/periodic'
import { pricesJob } from '../../server/services/market/prices/prices-job'
import { HOUR } from '../../src/domain/granularity'
import { testClock } from './support/test-clock'
import { freshDatabase, type TestDatabase } from './support/test-database'

/* Two processes on one database, of which one polls the provider and listens to an exchange. */

let database: TestDatabase
const started: Jobs[] = []
beforeAll(async () => {
  // As on a shared server: there, other processes may be alive.
  database = { ...(await freshDatabase()), engine: 'postgres' }
})
afterAll(() => database.close())
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await database.orm.delete(table)
})

/** A process of its own clock. @param claimRenewal milliseconds; an hour: it has hung or died, and renews no claim */
async function startProcess(clock: () => number, claimRenewal: number) {
  const listening = { begun: 0, ended: 0, polls: 0 }
  const run = async (signal: AbortSignal) => {
    listening.begun += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    listening.ended += 1
  }
  const poll = async () => void listening.polls++
  const jobs = await startJobs({ database, clock, claimRenewal }, [pricesJob({ poll, every: 1_000, live: { run } })])
  started.push(jobs)
  return listening
}
const claim = async () => (await database.rows(table, eq(table.name, 'market-prices')))[0]?.claim
const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 30_000, interval: 10 })

test('another process polls and listens to the exchange once the claim of a process that died has expired', async () => {
  const clock = testClock()
  const died = await startProcess(clock, HOUR)
  await soon(() => expect([died.begun, died.polls > 0]).toEqual([1, true]))
  clock.advance(30_001)
  const next = await startProcess(clock, HOUR)
  await soon(() => expect([next.begun, next.polls > 0]).toEqual([1, true]))
  // A dead process hears of nothing.
  expect(died.ended).toBe(0)
})

test('a process that finds its claim taken over stops listening to the exchange and leaves the claim to the other', async () => {
  const hung = await startProcess(testClock(), 20)
  await soon(() => expect(hung.begun).toBe(1))
  const later = testClock()
  later.advance(30_001)
  const next = await startProcess(later, 20)
  await soon(() => expect([next.begun, hung.ended]).toEqual([1, 1]))
  const taken = await claim()
  expect(taken).toBeTypeOf('string')
  expect([next.ended, await claim()]).toEqual([0, taken])
})
