import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadEnv } from '../../server/env'
import { changeTurns } from '../../server/db/change-turns'
import { createChanges } from '../../server/db/changes'
import { migrate } from '../../server/db/migrate'
import { inTransaction } from '../../server/db/open'
import { applyLimits } from '../../server/services/widgets/arrange'
import { databaseOnServer } from './support/database-on-server'
import { testProgramFiles } from './support/program-files'

const server = process.env['TEST_DATABASE_URL'] ?? ''
const { migrations } = testProgramFiles()

/** As the server's pool, with limits that a test outlasts at once. Milliseconds. */
const LIMIT = 50

describe.skipIf(server === '')('a start beside another process on PostgreSQL', () => {
  let pool: Pool
  let other: Client
  let drop: () => Promise<void>
  let folder: string
  beforeEach(async () => {
    const made = await databaseOnServer(server)
    drop = made.drop
    pool = new Pool({
      connectionString: made.url,
      options: `-c lock_timeout=${LIMIT} -c statement_timeout=${LIMIT * 4}`,
    })
    other = new Client(made.url)
    await other.connect()
    folder = mkdtempSync(join(tmpdir(), 'ratio-slow-migration-'))
  })
  afterEach(async () => {
    await Promise.all([pool.end(), other.end()])
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const bringUpToDate = (of: string) =>
    migrate((work) => inTransaction(pool, work), of, { lock: LIMIT, pause: LIMIT, whole: 60_000 })

  /** Writes migrations into the folder, which then holds no others. */
  const writeMigration = (...texts: string[]): void => {
    mkdirSync(join(folder, 'meta'), { recursive: true })
    const entries = texts.map((_, idx) => ({
      idx,
      version: '7',
      when: idx + 1,
      tag: `000${idx}_made`,
      breakpoints: true,
    }))
    writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
    for (const [idx, text] of texts.entries()) writeFileSync(join(folder, `000${idx}_made.sql`), text)
  }

  /** Resolves once another connection waits for a lock. */
  const waitSeen = () =>
    vi.waitFor(
      async () => {
        const { rows } = await pool.query('SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()')
        expect(rows).not.toEqual([])
      },
      { timeout: 60_000, interval: 5 },
    )

  test('a migration lets the statements of others pass while a table that it changes is in use, and is applied afterwards', async () => {
    await other.query('CREATE TABLE widgets (id int)')
    writeMigration('ALTER TABLE "widgets" ADD COLUMN "note" text')
    await other.query('BEGIN')
    await other.query('SELECT * FROM widgets')
    const migrated = bringUpToDate(folder)
    const reader = new Client(pool.options.connectionString)
    await reader.connect()
    for (let n = 0; n < 5; n++) {
      await waitSeen()
      expect((await reader.query('SELECT * FROM widgets')).fields).toHaveLength(1)
    }
    await reader.end()
    await other.query('COMMIT')
    await migrated
    expect((await other.query('SELECT * FROM widgets')).fields).toHaveLength(2)
  })

  test('a migration waits for a change that holds its owner and wants a widget, and makes neither of them fail', async () => {
    await other.query('CREATE TABLE owners (id int); CREATE TABLE widgets (id int)')
    writeMigration(
      'ALTER TABLE "widgets" ADD COLUMN "a" int;--> statement-breakpoint\nALTER TABLE "owners" ADD COLUMN "b" int',
    )
    await other.query('BEGIN')
    await other.query('UPDATE owners SET id = 1')
    const migrated = migrate((work) => inTransaction(pool, work), folder, { lock: 30_000, pause: LIMIT, whole: 0 })
    await waitSeen()
    await other.query('UPDATE widgets SET id = 1')
    await other.query('COMMIT')
    await migrated
    expect((await other.query('SELECT * FROM widgets, owners')).fields.map(({ name }) => name)).toEqual([
      'id',
      'a',
      'id',
      'b',
    ])
  })

  test('a program starts on a database that a newer one has only added to, and refuses it after a change that is breaking', async () => {
    const texts = [
      'CREATE TABLE "a" ("b" text)',
      'ALTER TABLE "a" ADD COLUMN "c" text',
      '-- breaking: c is mandatory\nALTER TABLE "a" ALTER COLUMN "c" SET NOT NULL',
    ]
    const startOf = (count: number) => {
      writeMigration(...texts.slice(0, count))
      return bringUpToDate(folder)
    }
    // As a version from before the mark left the list of migrations.
    await other.query('CREATE TABLE migrations (created_at bigint PRIMARY KEY, hash text NOT NULL)')
    expect(await startOf(2)).toEqual({ newer: 0 })
    expect(await startOf(1)).toEqual({ newer: 1 })
    expect(await startOf(3)).toEqual({ newer: 0 })
    await expect(startOf(2)).rejects.toThrow('made by another version')
  })

  /** Resolves once another connection has waited for a lock for longer than the pool's limits. */
  const longWaitSeen = () =>
    vi.waitFor(
      async () => {
        const { rows } = await other.query(
          `SELECT a.pid FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND NOT l.granted
           WHERE a.datname = current_database() AND clock_timestamp() - a.query_start > interval '${LIMIT * 6} milliseconds'`,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 60_000, interval: 10 },
    )

  test('a migration waits for the one of another process beyond the lock timeout of the pool', async () => {
    await bringUpToDate(migrations)
    // Holds what a process holds as it migrates.
    await other.query('BEGIN')
    await other.query('SELECT pg_advisory_xact_lock(7204815330112)')
    const waiting = bringUpToDate(migrations).then(
      () => 'migrated',
      (error: unknown) => error,
    )
    await Promise.race([longWaitSeen(), waiting])
    await other.query('COMMIT')
    expect(await waiting).toBe('migrated')
  })

  test('a statement of a migration may take longer than the statement timeout of the pool', async () => {
    writeMigration(`CREATE TABLE slow AS SELECT pg_sleep(${(LIMIT * 6) / 1000}) IS NULL AS slept`)
    await bringUpToDate(folder)
    expect((await other.query('SELECT count(*)::int AS rows FROM slow')).rows).toEqual([{ rows: 1 }])
    // The limits hold again for what comes after.
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: `${LIMIT * 4}ms` }])
  })

  test('applying changed limits waits for an owner row that another process holds beyond the lock timeout of the pool', async () => {
    await bringUpToDate(migrations)
    await other.query(`WITH mine AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', 'hash', now()) RETURNING id),
      pair AS (INSERT INTO pairs (coin_a_id, coin_b_id) VALUES ('bitcoin', 'ethereum') RETURNING id)
      INSERT INTO widgets (owner_id, pair_id, display_order, coin_a_id, coin_b_id, notifications_enabled, is_active, created_at)
      SELECT mine.id, pair.id, 0, 'bitcoin', 'ethereum', false, false, now() FROM mine, pair`)
    await other.query('BEGIN')
    await other.query('SELECT id FROM owners FOR UPDATE')
    const database = {
      orm: drizzle(pool),
      pool,
      engine: 'postgres' as const,
      separateConnection: null,
      changes: createChanges(),
      changeTurns: changeTurns(1, 0),
      failed: new Promise<Error>(() => undefined),
      close: async () => undefined,
    }
    const waiting = applyLimits(database, loadEnv({})).then(
      () => 'applied',
      (error: unknown) => error,
    )
    await Promise.race([longWaitSeen(), waiting])
    await other.query('COMMIT')
    expect(await waiting).toBe('applied')
    expect((await other.query('SELECT is_active FROM widgets')).rows).toEqual([{ is_active: true }])
  })
})
