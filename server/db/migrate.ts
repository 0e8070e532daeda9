import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { PoolClient } from 'pg'

/** Any number that nothing else in the database uses as an advisory lock. */
export const MIGRATION_LOCK = 7_204_815_330_112

/**
 * Applies the generated migrations that the database lacks, in the caller's transaction; of several processes that start at
 * once, one does it and the others wait.
 * @param only the times (`created_at`) of the migrations to apply; without it, all
 * @throws Error when `only` or the database names a migration that this version of the program does not have
 */
export async function applyMigrations(client: PoolClient, folder: string, only?: readonly number[]): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder })
  await client.query(WITHOUT_TIME_LIMITS)
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query('CREATE TABLE IF NOT EXISTS migrations (created_at bigint PRIMARY KEY, hash text NOT NULL)')
  const applied = await appliedMigrations(client)
  if (!knowsMigrations(folder, [...applied, ...(only ?? [])])) {
    throw new Error('The database was made by another version of this program.')
  }
  for (const { folderMillis, hash, sql } of known) {
    if (applied.includes(folderMillis) || only?.includes(folderMillis) === false) continue
    for (const statement of sql) await client.query(statement)
    await client.query('INSERT INTO migrations (created_at, hash) VALUES ($1, $2)', [folderMillis, hash])
  }
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
