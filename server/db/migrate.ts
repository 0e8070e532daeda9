import { setTimeout as delay } from 'node:timers/promises'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { PoolClient } from 'pg'
import { MINUTE } from '../../src/domain/granularity'
import { onlyAdds, type TableLock, tableLocks } from './migration-text'

/** Any number that nothing else in the database uses as an advisory lock. */
export const MIGRATION_LOCK = 7_204_815_330_112

/** How migrations share the tables with processes that serve meanwhile. Milliseconds. */
interface MigrationWaits {
  /** Longest wait for a lock: so long do the statements of others queue up behind it. */
  readonly lock: number
  /** Pause until the next attempt, in which the others run. */
  readonly pause: number
  /** From the first attempt to the last. */
  readonly whole: number
}

const WAITS: MigrationWaits = { lock: 2_000, pause: 2_000, whole: 10 * MINUTE }

/** PostgreSQL's codes for a lock that could not be had in time, and for transactions that waited for each other. */
const BLOCKED = ['55P03', '40P01']

/**
 * Applies the generated migrations that the database lacks, each in a transaction that is repeated while others hold the tables.
 * Of several processes that start at once, one does it and the others wait.
 * @param inTransaction runs in a transaction that an error undoes
 * @returns how many migrations of a newer version the database has, which only add to what this version knows
 * @throws Error where the database has a migration that this version cannot bear, or a table is held for too long
 */
export async function migrate(
  inTransaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
  folder: string,
  waits = WAITS,
): Promise<{ readonly newer: number }> {
  const until = performance.now() + waits.whole
  for (;;) {
    try {
      const { newer, left } = await inTransaction((client) => applyNext(client, folder, waits.lock))
      if (left === 0) return { newer }
    } catch (error) {
      if (!(error instanceof Error) || !BLOCKED.includes(String((error as { code?: unknown }).code))) throw error
      if (performance.now() > until) {
        const sentence = `A table that is to be changed was in use all the time (${error.message}). Find the transaction that holds it in pg_stat_activity, end it, and start again.`
        throw new Error(sentence, { cause: error })
      }
      await delay(waits.pause)
    }
  }
}

/** Applies the first migration that is missing; all at once to an empty database. */
async function applyNext(client: PoolClient, folder: string, lock: number) {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const rows = await lockMigrations(client)
  const newer = rows.filter(({ time }) => !known.some(({ folderMillis }) => folderMillis === time))
  if (newer.some(({ only_adds }) => !only_adds)) {
    throw new Error(
      'The database was made by another version of this program. Start that version, or restore the backup from before it.',
    )
  }
  const missing = known.filter(({ folderMillis }) => !rows.some(({ time }) => time === folderMillis))
  const now = rows.length === 0 ? missing : missing.slice(0, 1)
  await client.query(`SET LOCAL lock_timeout = ${lock}`)
  for (const migration of now) await apply(client, migration)
  return { newer: newer.length, left: missing.length - now.length }
}

/**
 * Makes the tables of a backup in an empty database, in the caller's transaction.
 * @param times (`created_at`) of the migrations to apply
 * @throws Error when they name a migration that this version of the program does not have
 */
export async function applyMigrations(client: PoolClient, folder: string, times: readonly number[]): Promise<void> {
  if (!knowsMigrations(folder, times)) throw new Error('The database was made by another version of this program.')
  await lockMigrations(client)
  for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
    if (times.includes(migration.folderMillis)) await apply(client, migration)
  }
}

/** Takes the lock of migrations until the transaction ends, and reads those that are applied. */
async function lockMigrations(client: PoolClient) {
  await client.query(WITHOUT_TIME_LIMITS)
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (created_at bigint PRIMARY KEY, hash text NOT NULL, only_adds boolean NOT NULL DEFAULT false)',
  )
  const { rows: columns } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'only_adds' AND NOT attisdropped`,
  )
  // Rows of versions before the column: nobody has looked whether they only add.
  if (columns.length === 0)
    await client.query('ALTER TABLE migrations ADD COLUMN only_adds boolean NOT NULL DEFAULT false')
  const { rows } = await client.query<{ created_at: string; only_adds: boolean }>('SELECT * FROM migrations')
  return rows.map(({ created_at, only_adds }) => ({ time: Number(created_at), only_adds }))
}

async function apply(client: PoolClient, { folderMillis, hash, sql }: MigrationMeta): Promise<void> {
  for (const { table, mode } of await locksOf(client, sql)) await client.query(`LOCK TABLE "${table}" IN ${mode} MODE`)
  for (const statement of sql) await client.query(statement)
  const values = [folderMillis, hash, onlyAdds(sql)]
  await client.query('INSERT INTO migrations (created_at, hash, only_adds) VALUES ($1, $2, $3)', values)
}

/** Locks that the migration's statements take on tables that are there, in the order in which all others take them (decision 0049). */
async function locksOf(client: PoolClient, statements: readonly string[]): Promise<readonly TableLock[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  return tableLocks(statements).filter(({ table }) => rows.some(({ name }) => name === table))
}

/**
 * Refuses a database whose schema is another than this version's, and changes nothing.
 * @throws Error with what to do
 */
export async function requireSchema(client: PoolClient, folder: string, place: string): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS there`,
  )
  if (rows[0]?.there !== true) throw new Error(`${place} holds no database of this program.`)
  const applied = await appliedMigrations(client)
  const known = readMigrationFiles({ migrationsFolder: folder })
  if (applied.length === known.length && knowsMigrations(folder, applied)) return
  throw new Error(`${place} has the schema of another version of this program. Use the version that serves it.`)
}

/** True if this version of the program has every migration of these times (`created_at`). */
export function knowsMigrations(folder: string, times: readonly number[]): boolean {
  const known = readMigrationFiles({ migrationsFolder: folder })
  return times.every((time) => known.some(({ folderMillis }) => folderMillis === time))
}

/** The times (`created_at`) of the migrations that the database has, ascending. */
export async function appliedMigrations(client: PoolClient): Promise<number[]> {
  const { rows } = await client.query<{ created_at: string }>('SELECT created_at FROM migrations ORDER BY 1')
  return rows.map((row) => Number(row.created_at))
}

/**
 * For a transaction at the start of a process, which may wait for another process's migration or change a large table. The
 * limit on idle transactions stays: a process that hangs must not hold its locks for ever.
 */
export const WITHOUT_TIME_LIMITS = 'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0'
