import type { Pool, PoolClient } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { SpotPrice } from '../../server/adapters/market-data/provider'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { polling } from '../../server/services/market/prices/polling'
import { priceStore } from '../../server/services/market/prices/price-store'
import { readStoredPrices } from '../../server/services/market/prices/stored-prices'
import { POLL_INTERVAL } from '../../src/domain/live-prices'
import { measured } from '../support/budgets.mjs'
import { seedCrowd } from './support/alert-crowd'
import { withDatabase } from './support/for-file'
import { seeded } from './support/seeded'
import { measureStatements, type SentStatements, sentDuring, type Statement } from './support/sent-statements'

/** A node of EXPLAIN's JSON. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** A whole table, or a whole index of one, that a statement reads. */
interface Scan {
  readonly table: string
  readonly node: string
  readonly statement: string
}

const HAS_PLAN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i
const IS_SETTING = /^\s*SET\b/i

/**
 * The scans that statements would make with the values that they were sent with, under the settings that they were sent under.
 * Nothing is executed.
 */
async function scansOf(client: PoolClient, statements: readonly Statement[]): Promise<Scan[]> {
  const scans: Scan[] = []
  await client.query('BEGIN')
  for (const { text, values } of statements) {
    if (IS_SETTING.test(text)) await client.query(text)
    if (!HAS_PLAN.test(text)) continue
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      [...values],
    )
    scans.push(...scansIn(rows[0]!['QUERY PLAN'][0]!.Plan, text))
  }
  await client.query('ROLLBACK')
  return scans
}

const IS_INDEX_SCAN = /^(Index|Index Only|Bitmap Index) Scan$/

function scansIn(node: PlanNode, statement: string, above?: PlanNode): Scan[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '', Plans = [] } = node
  // An index that is read in its order and left after the first rows is not read as a whole.
  const isWholeIndex = IS_INDEX_SCAN.test(type) && node['Index Cond'] === undefined && above?.['Node Type'] !== 'Limit'
  const own = type === 'Seq Scan' || isWholeIndex ? [{ table: table ?? index, node: type, statement }] : []
  return [...own, ...Plans.flatMap((below) => scansIn(below, statement, node))]
}

/*
 * Counts, not times: what one price tick asks of the database, of 400 coins and a crowd of which some twenty widgets are to
 * change. The crowd is small: a planner that scans no table of 10,000 rows, which costs little, scans no larger one.
 */

const START = Date.UTC(2026, 0, 15, 12)
const WIDGETS = 10_000
const PAIRS = 1_000
/** How far prices lie apart from tick to tick, as a share of them. */
const SPREAD = 0.002
/** Tables with a row a coin at most: a tick may read all of one. */
const SMALL = new Set(['market_coins', 'market_prices', 'alert_source'])

let prices: ReadonlyMap<string, SpotPrice>
let touched: Touched
let sent: SentStatements<void>
let sentOfFew: SentStatements<void>

const database = withDatabase()
beforeAll(async () => {
  const { pool } = database
  await seedCrowd(pool, { widgets: WIDGETS, pairs: PAIRS, now: START })
  // Crossings of pairs that have been removed since, so that the table is not an empty one.
  await pool.query(
    `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
       threshold, crossed_at, delivery)
     SELECT id, gen_random_uuid(), 'c1', 'c2', 'c1', 'c2', 'high', 0, 2, 1, $1, 'fanned-out' FROM owners`,
    [new Date(START)],
  )
  // Rules of every pair that no price reaches.
  await pool.query(
    `INSERT INTO rule_bounds SELECT id, measure, 1e30, NULL FROM pairs, unnest(ARRAY['ratio', '-ratio']) measure`,
  )
  prices = await readStoredPrices(pool, 'simulated')
  // Sides that have fired may be armed again by the next tick.
  await tick(1, pool)
  // Rows that are dead are read as well, and plans follow what is known of each table: files before this one leave both.
  await pool.query('VACUUM (ANALYZE)')
  touched = await touchedBy((pool) => tick(2, pool))
  sent = await sentDuring(pool, () => tick(2, pool))
  sentOfFew = await sentDuring(pool, () => tick(3, pool, 3))
})

/** A poll as the job makes it, that brings prices of the first so many coins; without a number, of all. */
function tick(number: number, pool: Pool, coins?: number): Promise<void> {
  const now = START + number * POLL_INTERVAL
  const clock = () => now
  const chance = seeded(number)
  const moved = Array.from([...prices].slice(0, coins), ([id, { usd }]): [string, SpotPrice] => [
    id,
    { usd: usd * (1 + (chance() - 0.5) * SPREAD), providerTime: now },
  ])
  const provider = { ...simulatedProvider(clock), spotPrices: async () => new Map(moved) }
  const store = priceStore({ pool, source: 'simulated', clock })
  return polling({ pool, provider, budget: null, configured: undefined, clock, store }).poll()
}

test('a price tick sends no more statements than its budget', () => {
  measureStatements('price tick', sent.statements)
})

test('no statement of a price tick, of all coins or of three, scans a table that grows with users', async () => {
  const client = await database.pool.connect()
  const [ofAll, ofFew] = [await scansOf(client, sent.statements), await scansOf(client, sentOfFew.statements)]
  client.release()
  expect(ofAll.length).toBeGreaterThan(0)
  // Bounds are as many as pairs have measures, and a tick of all coins needs them all.
  const grows = ({ table }: Scan) => !SMALL.has(table)
  expect(ofAll.filter((scan) => grows(scan) && !['rule_bounds', 'pairs'].includes(scan.table))).toEqual([])
  expect(ofFew.filter(grows)).toEqual([])
})

test('a price tick looks into the indexes of widgets and touches rows no more often than its budget', () => {
  expect(touched.changed).toBeGreaterThan(0)
  measured('price tick: looks into indexes of widgets', touched.looks)
  measured('price tick: rows touched', touched.rows)
})

interface Touched {
  /** Searches of the indexes of widgets. */
  readonly looks: number
  /** Widgets that were changed. */
  readonly changed: number
  /** Rows of all tables that were read or written. */
  readonly rows: number
}

/** The database's own counts of work that is undone afterwards. The work gets a pool of one connection, in one transaction. */
async function touchedBy(work: (pool: Pool) => Promise<void>): Promise<Touched> {
  const client = await database.pool.connect()
  const query = async (text: string, values?: unknown[]) =>
    text === 'BEGIN' || text === 'COMMIT' ? undefined : client.query(text, values)
  const only = { query, connect: async () => ({ query, release: () => undefined }) }
  await client.query('BEGIN')
  const before = await touchedSoFar(client)
  await work(only as unknown as Pool)
  const after = await touchedSoFar(client)
  await client.query('ROLLBACK')
  client.release()
  return { looks: after.looks - before.looks, changed: after.changed - before.changed, rows: after.rows - before.rows }
}

/** The counts of this connection. Within a transaction they only rise. */
async function touchedSoFar(client: PoolClient): Promise<Touched> {
  const { rows } = await client.query<Touched>(
    `SELECT sum(idx_scan) FILTER (WHERE relname = 'widgets')::int AS looks,
       sum(n_tup_upd) FILTER (WHERE relname = 'widgets')::int AS changed,
       sum(seq_tup_read + COALESCE(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int AS rows
     FROM pg_stat_xact_user_tables`,
  )
  return rows[0]!
}
