import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/db/open'
import { seedCrowd } from '../server/support/alert-crowd'
import { judgeTogether, measureTicks } from '../server/support/alert-scale'
import { testProgramFiles } from '../server/support/program-files'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

const PAIRS = 5_000
const MANY = 1_000_000
const FEW = 100_000
const TICKS = 7
/** Prices wander so far from tick to tick that 0.05 % of the many cross, which is 500. */
const SHARE = 0.00036
const FASTER = 4
/** With ten times the widgets and the same crossings, a tick takes less than this times as long. */
const GROWTH = 3

const url = process.env['TEST_DATABASE_URL'] ?? ''

async function withCrowd<T>(
  storage: TestStorage,
  widgets: number,
  work: (database: Database, now: number) => Promise<T>,
): Promise<T> {
  // prettier-ignore
  const { DATA_DIR = '', DATABASE_URL } = storage.variables
  const database = await openDatabase({ DATA_DIR, DATABASE_URL }, testProgramFiles(), { durable: false })
  const now = Date.now()
  try {
    await seedCrowd(database.pool, { widgets, pairs: PAIRS, now })
    return await work(database, now)
  } finally {
    await database.close()
    await storage.remove()
  }
}

async function judgeFast(engine: string, storage: () => Promise<TestStorage>): Promise<void> {
  const say = (widgets: number, what: object) => console.log(`${engine}, ${widgets} widgets: ${JSON.stringify(what)}`)
  const few = await withCrowd(await storage(), FEW, async (database, now) => {
    say(FEW, await measureTicks(database, { now, share: SHARE, ticks: TICKS }))
    const asMany = await measureTicks(database, { now, share: SHARE * 10, ticks: TICKS })
    say(FEW, asMany)
    return asMany
  })
  await withCrowd(await storage(), MANY, async (database, now) => {
    const many = await measureTicks(database, { now, share: SHARE, ticks: TICKS })
    say(MANY, many)
    for (let tick = 0; tick < 3; tick++) {
      const together = await judgeTogether(database, now, SHARE)
      say(MANY, together)
      expect(together).toEqual({ due: together.due, said: together.due, recorded: together.due, twice: 0 })
      expect(together.due).toBeGreaterThan(0)
    }
    expect(many.crossings).toBeGreaterThan(MANY * 0.0003)
    expect(many.crossings).toBeLessThan(MANY * 0.001)
    expect(many.fullScan / many.judged).toBeGreaterThanOrEqual(FASTER)
    expect((many.judged / many.crossings) * few.crossings).toBeLessThan(GROWTH * few.judged)
  })
}

test('on PGlite, judging a million widgets is at least 4 times as fast as a full scan and records no crossing twice', () =>
  judgeFast('PGlite', async () => emptyFolder()))

test.skipIf(url === '')(
  'on PostgreSQL, judging a million widgets is at least 4 times as fast as a full scan and records no crossing twice',
  () => judgeFast('PostgreSQL', () => emptyDatabase(url)),
)
