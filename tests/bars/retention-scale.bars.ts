import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/db/open'
import { KEPT_FOR } from '../../server/services/kept-for'
import { dropOldPoints } from '../../server/services/market/history/points'
import { removeOutdated } from '../../server/services/retention'
import { BUCKET_MS, DAY, GRANULARITIES, HOUR, LEVEL_SPAN } from '../../src/domain/granularity'
import { testProgramFiles } from '../server/support/program-files'
import { emptyDatabase } from '../server/support/test-storage'
import { processorSeconds } from '../support/processor-seconds.mjs'

/* Ten days of tables that are as large as retention lets them grow: each day as much comes as goes. */

const url = process.env['TEST_DATABASE_URL'] ?? ''
const ROWS = Number(process.env['ROWS'] ?? 100_000_000)
const DAYS = 10
/** As often as the jobs run. */
const RUNS_A_DAY = 4
/** Share of one core, of the whole database server beyond what writing the day's rows costs it. */
const PROCESSOR_SHARE = 0.01
/** Bytes of rows after ten days by those after the first, and of indexes by those of indexes that are made anew. */
const [ROWS_GROWTH, INDEX_SLACK] = [1.05, 1.7]
/** Milliseconds that a statement of an owner waits for a lock before it counts as blocked. */
const LOCK_TIMEOUT = 50

/** Now at the beginning, milliseconds: the tables are full then. */
const START = Math.floor(Date.now() / DAY) * DAY
const OWNERS = 20_000
/** Of each owner, in turn: more than there are deliveries from one event to the next. */
const BROWSERS = 4
const owner = (i: string) => `md5('owner' || (${i}) % ${OWNERS})::uuid`
const browser = (ofOwner: string, i: string) =>
  `md5('browser' || (${ofOwner}) % ${OWNERS} || '-' || (${i}) % ${BROWSERS})::uuid`
const event = (i: string) => `md5('event' || (${i}))::uuid`

/** Rows that come evenly, of which number 0 is as old as the table keeps them at the beginning. */
interface Growing {
  /** The column by which a row grows old, and for how long it is kept, milliseconds. */
  readonly age: string
  readonly keptFor: number
  /** Milliseconds from one row to the next. */
  readonly spacing: number
  /** Of the rows from number $1 to before $2; `i` is a row's number, `at` its time. */
  readonly insert: string
}
function growing(age: string, share: number, keptFor: number, insert: (i: string, at: string) => string): Growing {
  const spacing = keptFor / (share * ROWS)
  const at = `to_timestamp((${START - keptFor}::float8 + i * ${spacing}::float8) / 1000)`
  return { age, keptFor, spacing, insert: `${insert('i', at)} FROM generate_series($1::bigint, $2::bigint - 1) i` }
}
const EVENTS = growing(
  'crossed_at',
  0.45,
  KEPT_FOR.alert,
  (i, at) =>
    `INSERT INTO alert_events (id, owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
       threshold, crossed_at, delivery)
     SELECT ${event(i)}, ${owner(i)}, gen_random_uuid(), 'bitcoin', 'ethereum', 'btc', 'eth', 'high', 1, 15.5, 15, ${at}, 'fanned-out'`,
)
/** The number of the last event before a delivery ended. */
const eventBefore = (at: string) =>
  `(floor((extract(epoch FROM ${at}) * 1000 - ${START - EVENTS.keptFor}) / ${EVENTS.spacing})::bigint - 1)`
const GROWING = {
  alert_events: EVENTS,
  push_deliveries: growing(
    'ended_at',
    0.1,
    KEPT_FOR.pushDelivery,
    (i, at) =>
      `INSERT INTO push_deliveries (event_id, subscription_id, owner_id, outcome, attempts, next_attempt_at, ended_at)
       SELECT ${event(eventBefore(at))}, ${browser(eventBefore(at), i)}, ${owner(eventBefore(at))}, 'sent', 1, ${at}, ${at}`,
  ),
  operations: growing(
    'created_at',
    0.2,
    KEPT_FOR.operation,
    (i, at) =>
      `INSERT INTO operations (owner_id, op_id, request_hash, for_ever, created_at)
       SELECT ${owner(i)}, gen_random_uuid(), '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU', false, ${at}`,
  ),
  audit_log: growing(
    'at',
    0.01,
    KEPT_FOR.auditEntry,
    (i, at) =>
      `INSERT INTO audit_log (at, actor_email, action, target_email)
       SELECT ${at}, 'boss@example.com', 'grant-premium', 'ann' || ${i} || '@example.com'`,
  ),
} as const
const REMOVALS = ['remove-old-alerts', 'expire-operations', 'expire-audit-log'] as const

/** Points of a coin at all levels, and how many coins have the rest of the rows. */
const POINTS = GRANULARITIES.reduce((sum, level) => sum + LEVEL_SPAN[level] / BUCKET_MS[level], 0)
const COINS = Math.round((0.24 * ROWS) / POINTS)
const TABLES = [...Object.keys(GROWING), 'market_points']

/** Rows of one statement. */
const INSERTED_AT_ONCE = 1_000_000

/** Writes what came in all tables from one time to another; what lies before the beginning is as old as it may be. */
async function write(client: Client, from: number | null, to: number): Promise<void> {
  for (const { keptFor, spacing, insert } of Object.values(GROWING)) {
    const numberAt = (time: number) => Math.floor((time - START + keptFor) / spacing)
    const end = numberAt(to)
    for (let first = from === null ? 0 : numberAt(from); first < end; first += INSERTED_AT_ONCE)
      await client.query(insert, [first, Math.min(first + INSERTED_AT_ONCE, end)])
  }
  for (const [level, name] of GRANULARITIES.entries()) {
    const width = BUCKET_MS[name]
    await client.query(
      `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
       SELECT key, $1, bucket * $4::int, 1, 1 FROM market_coins, generate_series($2::int, $3::int - 1) bucket ORDER BY key, bucket`,
      [
        level,
        Math.floor((from ?? to - LEVEL_SPAN[name]) / width),
        Math.floor(to / width),
        width / BUCKET_MS.fiveMinutely,
      ],
    )
  }
}

/**
 * Fills the tables without their indexes and keys, which are made afterwards: those of keys that come in no order with the room
 * that a B-tree of them has in the long run.
 */
async function fill(client: Client): Promise<void> {
  await client.query("SET session_replication_role = 'replica'")
  await client.query(
    `INSERT INTO owners (id, kind, anonymous_hash, created_at)
     SELECT ${owner('i')}, 'guest', i::text, now() FROM generate_series(0, ${OWNERS} - 1) i`,
  )
  await client.query(
    `INSERT INTO push_subscriptions (id, owner_id, endpoint, p256dh, auth, subscribed_at, free_at)
     SELECT ${browser('i', 'n')}, ${owner('i')}, i || '-' || n, '', '', now(), now()
     FROM generate_series(0, ${OWNERS} - 1) i, generate_series(0, ${BROWSERS} - 1) n`,
  )
  await client.query(
    `INSERT INTO market_coins (source, id, symbol, name, listed_at)
     SELECT 'simulated', 'c' || i, 'c' || i, 'c' || i, 0 FROM generate_series(1, ${COINS}) i`,
  )
  const { rows } = await client.query<{ remove: string; make: string }>(
    `SELECT 'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || conname AS remove,
       'ALTER TABLE ' || conrelid::regclass || ' ADD CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid)
         || CASE contype WHEN 'f' THEN ' NOT VALID' ELSE ' WITH (fillfactor = 70)' END AS make
     FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))
     UNION ALL
     SELECT 'DROP INDEX ' || i.indexrelid::regclass,
       regexp_replace(pg_get_indexdef(i.indexrelid), '( WHERE .*)?$', CASE WHEN pg_get_indexdef(i.indexrelid, 1, false) LIKE '%id' THEN ' WITH (fillfactor = 70)\\1' ELSE '\\1' END)
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
     WHERE c.oid IS NULL AND i.indrelid = ANY ($1::text[]::regclass[])`,
    [TABLES],
  )
  // Foreign keys go before the keys that they name, and come after them.
  const inOrder = rows.toSorted((a, b) => Number(/FOREIGN KEY/.test(a.make)) - Number(/FOREIGN KEY/.test(b.make)))
  for (const one of inOrder.toReversed()) await client.query(one.remove)
  await write(client, null, START)
  for (const one of inOrder) await client.query(one.make)
  for (const table of TABLES) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
  await client.query("SET session_replication_role = 'origin'")
  await client.query('VACUUM (ANALYZE)')
  await client.query('CHECKPOINT')
}

/** One run of each job that removes rows of these tables by their age. */
async function remove(database: Database, now: number): Promise<void> {
  for (const name of REMOVALS) await removeOutdated(database, name, now)
  await dropOldPoints(database.pool, now)
}

/** Vacuums the tables in which PostgreSQL would by itself, once the figures of the last minute are in. */
async function vacuumDue(client: Client): Promise<string[]> {
  await delay(1_500)
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid,
       LATERAL (SELECT max(option_value) FILTER (WHERE option_name = 'autovacuum_vacuum_scale_factor') AS factor,
         max(option_value) FILTER (WHERE option_name = 'autovacuum_vacuum_threshold') AS least FROM pg_options_to_table(reloptions)) o
     WHERE c.relname = ANY ($1) AND n_dead_tup >= coalesce(least, current_setting('autovacuum_vacuum_threshold'))::int
       + coalesce(factor, current_setting('autovacuum_vacuum_scale_factor'))::float8 * reltuples`,
    [TABLES],
  )
  for (const { name } of rows) await client.query(`VACUUM (ANALYZE) ${name}`)
  return rows.map(({ name }) => name)
}

/** Bytes of each table, and of its indexes. */
async function sizes(client: Client): Promise<Map<string, { readonly rows: number; readonly indexes: number }>> {
  const { rows } = await client.query<{ name: string; rows: string; indexes: string }>(
    'SELECT name, pg_table_size(name::regclass) AS rows, pg_indexes_size(name::regclass) AS indexes FROM unnest($1::text[]) name',
    [TABLES],
  )
  return new Map(rows.map((one) => [one.name, { rows: Number(one.rows), indexes: Number(one.indexes) }]))
}

/** Writes and reads as owners do, until it is stopped by what is returned; a statement that waits for a lock fails. */
function owners(database: string) {
  const over = new AbortController()
  const work = async () => {
    const client = new Client(database)
    await client.connect()
    const failures = new Map<string, number>()
    let statements = 0
    try {
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT}`)
      for (let i = 0; !over.signal.aborted; i++) {
        for (const text of [
          `INSERT INTO operations VALUES (${owner(`${i}`)}, gen_random_uuid(), '', false, now())`,
          `UPDATE alert_events SET back_at = now() WHERE id = (SELECT id FROM alert_events WHERE owner_id = ${owner(`${i}`)} AND back_at IS NULL ORDER BY crossed_at DESC LIMIT 1)`,
          `WITH e AS (SELECT id FROM alert_events WHERE owner_id = ${owner(`${i}`)} ORDER BY crossed_at DESC LIMIT 50)
           SELECT count(*) FROM e LEFT JOIN push_deliveries ON event_id = e.id`,
          `SELECT count(*) FROM market_points WHERE coin_key = ${(i % COINS) + 1}`,
        ]) {
          statements += 1
          await client
            .query(text)
            .catch((error: Error) => failures.set(error.message, (failures.get(error.message) ?? 0) + 1))
        }
        await delay(10)
      }
    } finally {
      await client.end()
    }
    return { statements, failures: Object.fromEntries(failures) }
  }
  const done = work()
  return () => (over.abort(), done)
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`

test.skipIf(url === '')(
  `with ${ROWS} rows that grow old on PostgreSQL, ten days of retention and vacuum cost less than ${PROCESSOR_SHARE * 100} % of a core, leave the tables as large as they were, and let no statement of an owner wait`,
  { timeout: 5 * HOUR },
  async () => {
    const storage = await emptyDatabase(url)
    const { DATA_DIR = '', DATABASE_URL = '' } = storage.variables
    const database = await openDatabase({ DATA_DIR, DATABASE_URL }, testProgramFiles())
    const client = new Client(DATABASE_URL)
    await client.connect()
    try {
      await fill(client)
      let before = await sizes(client)
      const { rows } = await client.query<{ file: string }>("SELECT pg_read_file('postmaster.pid') AS file")
      const cluster = Number.parseInt(rows[0]!.file, 10)
      const shares: number[] = []
      for (let day = 1; day <= DAYS; day++) {
        const [from, to] = [START + (day - 1) * DAY, START + day * DAY]
        await write(client, from, to)
        const stop = owners(DATABASE_URL)
        const begun = processorSeconds(cluster)
        let vacuumed: string[]
        try {
          for (let run = 1; run <= RUNS_A_DAY; run++) await remove(database, from + (run * DAY) / RUNS_A_DAY)
          vacuumed = await vacuumDue(client)
        } finally {
          await stop()
        }
        const seconds = processorSeconds(cluster) - begun
        const { statements, failures } = await stop()
        shares.push((seconds * 1000) / DAY)
        // Each day's rows come before those of a day go: this much more room the tables have from then on.
        if (day === 1) before = await sizes(client)
        process.stdout.write(
          `day ${day}: ${seconds.toFixed(1)} s of processor, of them ${statements} statements of owners; vacuumed ${vacuumed.join(', ')}\n`,
        )
        expect(failures).toEqual({})
        expect(statements).toBeGreaterThan(100)
      }
      const after = await sizes(client)
      for (const name of TABLES) await client.query(`REINDEX TABLE ${name}`)
      const anew = await sizes(client)
      const growths = [...after].map(([name, { rows: bytes, indexes }]) => {
        const growth = { rows: bytes / before.get(name)!.rows, indexes: indexes / anew.get(name)!.indexes }
        process.stdout.write(
          `${name}: ${gigabytes(bytes)} of rows, ${growth.rows.toFixed(3)} of day 1; ${gigabytes(indexes)} of indexes, ${growth.indexes.toFixed(3)} of new ones\n`,
        )
        return { name, ...growth }
      })
      expect(Math.max(...shares)).toBeLessThan(PROCESSOR_SHARE)
      for (const { name, rows: growth, indexes } of growths) {
        expect(growth, name).toBeLessThan(ROWS_GROWTH)
        expect(indexes, name).toBeLessThan(INDEX_SLACK)
      }
      for (const [name, { age, keptFor }] of Object.entries(GROWING)) {
        const oldest = await client.query<{ at: Date }>(`SELECT min(${age}) AS at FROM ${name}`)
        expect(oldest.rows[0]!.at.getTime(), name).toBeGreaterThanOrEqual(START + DAYS * DAY - keptFor)
      }
    } finally {
      await client.end()
      await database.close()
      await storage.remove()
    }
  },
)
