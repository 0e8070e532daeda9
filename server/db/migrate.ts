import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Pool } from 'pg'
import { inTransaction, WITHOUT_TIME_LIMITS } from './transaction'

/** Any number that nothing else in the database uses as an advisory lock. */
const MIGRATION_LOCK = 7_204_815_330_112

/**
 * Applies the generated migrations that the database lacks, in one transaction; of several processes that start at
 * once, one does it and the others wait.
 * @throws Error when the database was made by a newer version of the program
 */
export async function migrate(pool: Pool, folder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder })
  await inTransaction(pool, async (client) => {
    await client.query(WITHOUT_TIME_LIMITS)
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query('CREATE TABLE IF NOT EXISTS migrations (created_at bigint PRIMARY KEY, hash text NOT NULL)')
    const { rows } = await client.query<{ created_at: string }>('SELECT created_at FROM migrations')
    const applied = new Set(rows.map((row) => Number(row.created_at)))
    const unknown = [...applied].filter((time) => !known.some(({ folderMillis }) => folderMillis === time))
    if (unknown.length > 0) throw new Error('The database was made by another version of this program.')
    for (const { folderMillis, hash, sql } of known.filter(({ folderMillis }) => !applied.has(folderMillis))) {
      for (const statement of sql) await client.query(statement)
      await client.query('INSERT INTO migrations (created_at, hash) VALUES ($1, $2)', [folderMillis, hash])
    }
  })
}
