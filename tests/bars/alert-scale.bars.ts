import { expect, test } from 'vitest'
import { type Database, openDatabase, inTransaction } from '../../server/db/open'
import { seedCrowd, crowdCoins, FULL_SCAN, movePrices } from '../server/support/alert-crowd'
import { testProgramFiles } from '../server/support/program-files'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'
import { judgeAlerts } from '../../server/services/alerts/judge-alerts'

interface Measured {
  /** Medians, milliseconds: of every widget looked at, and of what the server does. */
  readonly fullScan: number
  readonly judged: number
  /** Crossings of a tick, on the average. */
  readonly crossings: number
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const started = performance.now()
  const result = await work()
  return [performance.now() - started, result]
}

const judge = async ({ pool }: Database, now: number): Promise<number> => {
  const judged = await inTransaction(pool, (client) => judgeAlerts(client, 'simulated', crowdCoins(), now))
  if (judged === null || judged.more) throw new Error('The tick was not judged at once')
  return judged.crossings.high + judged.crossings.low
}

/**
 * Ticks of a crowd's prices, in turn judged by a full scan and by the server: from the prices as they are stored to the
 * crossings as they are recorded. The first of each is not counted.
 */
async function measureTicks(
  database: Database,
  { now, share, ticks }: { readonly now: number; readonly share: number; readonly ticks: number },
): Promise<Measured> {
  const scans: number[] = []
  const judgements: number[] = []
  let crossings = 0
  for (let tick = 0; tick <= ticks; tick++) {
    await movePrices(database.pool, share)
    const [scan] = await timed(() => database.pool.query(FULL_SCAN))
    await movePrices(database.pool, share)
    const [judgement, fired] = await timed(() => judge(database, now))
    if (tick === 0) continue
    scans.push(scan)
    judgements.push(judgement)
    crossings += fired / ticks
  }
  return { fullScan: median(scans), judged: median(judgements), crossings: Math.round(crossings) }
}

interface Together {
  /** Armed sides that were beyond their threshold before, by a look at all of them. */
  readonly due: number
  /** The number of crossings that the judging processes report, and the number of stored rows. */
  readonly notified: number
  readonly recorded: number
  /** Sides that are recorded more than once. */
  readonly twice: number
}

/** One tick that four judge at once, without waiting for each other. */
async function judgeTogether(database: Database, now: number, share: number): Promise<Together> {
  const { pool } = database
  const count = async (query: string): Promise<number> => (await pool.query<{ n: number }>(query)).rows[0]!.n
  await movePrices(pool, share)
  await pool.query('DELETE FROM alert_events')
  const due = await count(DUE)
  const notified = await Promise.all([
    judge(database, now),
    judge(database, now),
    judge(database, now),
    judge(database, now),
  ])
  return {
    due,
    notified: notified.reduce((sum, one) => sum + one, 0),
    recorded: await count('SELECT count(*)::int AS n FROM alert_events'),
    twice: await count('SELECT (count(*) - count(DISTINCT (widget_id, side)))::int AS n FROM alert_events'),
  }
}

const DUE = `
SELECT (count(*) FILTER (WHERE w.high_threshold_active AND w.high_threshold < a.usd / b.usd)
  + count(*) FILTER (WHERE w.low_threshold_active AND w.low_threshold > a.usd / b.usd))::int AS n
FROM widgets w JOIN market_coins ca ON ca.id = w.coin_a_id JOIN market_prices a ON a.coin_key = ca.key
JOIN market_coins cb ON cb.id = w.coin_b_id JOIN market_prices b ON b.coin_key = cb.key`

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
      expect(together).toEqual({ due: together.due, notified: together.due, recorded: together.due, twice: 0 })
      expect(together.due).toBeGreaterThan(0)
    }
    expect(many.crossings).toBeGreaterThan(MANY * 0.0003)
    expect(many.crossings).toBeLessThan(MANY * 0.001)
    expect(many.fullScan / many.judged).toBeGreaterThanOrEqual(FASTER)
    expect((many.judged / many.crossings) * few.crossings).toBeLessThan(GROWTH * few.judged)
  })
}

const REAL = 10_000
const UNUSED = 250_000
/** A tick with widgets is judged in at most this times as long beside pairs that no widget stands for. */
const BESIDE_UNUSED = 2

/** Pairs that no widget stands for, as guests once left them behind; their coins are judged like all others. */
async function seedUnusedPairs({ pool }: Database): Promise<void> {
  for (let from = 0; from < UNUSED; from += 50_000) {
    await pool.query(
      `INSERT INTO pairs (coin_a_id, coin_b_id)
       SELECT 'c' || (1 + i % 400), 'unused' || i FROM generate_series($1::int + 1, $1 + 50000) i`,
      [from],
    )
  }
  await pool.query('VACUUM (ANALYZE)')
}

async function judgeBesideUnused(engine: string, storage: () => Promise<TestStorage>): Promise<void> {
  await withCrowd(await storage(), REAL, async (database, now) => {
    const alone = await measureTicks(database, { now, share: SHARE * 10, ticks: TICKS })
    await seedUnusedPairs(database)
    const beside = await measureTicks(database, { now, share: SHARE * 10, ticks: TICKS })
    console.log(`${engine}, ${REAL} widgets: ${JSON.stringify({ alone, besideUnusedPairs: beside })}`)
    expect(beside.crossings).toBeGreaterThan(0)
    expect(beside.judged).toBeLessThan(BESIDE_UNUSED * alone.judged)
  })
}

test('on PGlite, judging 10,000 widgets beside 250,000 pairs that no widget stands for takes less than twice as long as without them', () =>
  judgeBesideUnused('PGlite', async () => emptyFolder()))

test.skipIf(url === '')(
  'on PostgreSQL, judging 10,000 widgets beside 250,000 pairs that no widget stands for takes less than twice as long as without them',
  () => judgeBesideUnused('PostgreSQL', () => emptyDatabase(url)),
)

test('on PGlite, judging a a million widgets is at least 4 times as fast as a full scan and records no crossing twice', () =>
  judgeFast('PGlite', async () => emptyFolder()))

test.skipIf(url === '')(
  'on PostgreSQL, judging a million widgets is at least 4 times as fast as a full scan and records no crossing twice',
  () => judgeFast('PostgreSQL', () => emptyDatabase(url)),
)
