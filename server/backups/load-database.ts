import type { PoolClient } from 'pg'
import { applyMigrations } from '../db/migrate'
import { type BackupEnd, type BackupLine, DamagedBackupError, type KeptSecret, readTables } from './backup-lines'

/** Characters of rows that one statement inserts. */
const INSERT_BATCH_BYTES = 500_000

/** The database has tables already. */
export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError'
}

/**
 * Fills an empty database from a backup, in the caller's transaction: tables as the backup's migrations make them, then the
 * rows. The server process applies later migrations at its next start.
 * @param migrations folder with Drizzle's generated migrations
 * @returns the backup's secrets, for the caller to keep
 * @throws NotEmptyError, DamagedBackupError
 */
export async function loadDatabase(
  client: PoolClient,
  lines: AsyncIterable<BackupLine>,
  migrations: string,
): Promise<{ readonly end: BackupEnd; readonly secrets: readonly KeptSecret[] }> {
  const { rows: present } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'")
  if (present.length > 0) throw new NotEmptyError('The database is not empty: it has tables already.')
  const secrets: KeptSecret[] = []
  let table: { name: string; columns: readonly string[] } | null = null
  let end: BackupEnd | null = null
  let batch: string[] = []
  let size = 0
  const flush = async () => {
    if (table !== null && batch.length > 0) await insertRows(client, table, batch)
    batch = []
    size = 0
  }
  for await (const line of lines) {
    if ('row' in line) {
      batch.push(line.row)
      size += line.row.length
      if (size > INSERT_BATCH_BYTES) await flush()
      continue
    }
    await flush()
    const [kind, content] = line.mark
    if (kind === 'backup') await makeTables(client, migrations, content.migrations)
    if (kind === 'file') secrets.push(content)
    if (kind === 'table') table = content
    if (kind === 'end') end = content
  }
  if (end === null) throw new DamagedBackupError('The backup is damaged: its end is missing.')
  await advanceSequences(client)
  return { end, secrets }
}

async function makeTables(client: PoolClient, folder: string, migrations: readonly number[]): Promise<void> {
  await applyMigrations(client, folder, migrations)
  const made = await readTables(client)
  // Rows that a migration inserts stand in the backup as well.
  await client.query(`TRUNCATE ${made.map(({ name }) => `"${name}"`).join(', ')}`)
}

/** PostgreSQL parses the rows itself, as it wrote them: no number passes through JavaScript. */
async function insertRows(
  client: PoolClient,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  rows: readonly string[],
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ')
  await client.query(
    `INSERT INTO "${name}" (${list}) OVERRIDING SYSTEM VALUE
     SELECT ${list} FROM json_populate_recordset(NULL::"${name}", $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

/** Sets each identity column's sequence to go on after the largest number there is. */
async function advanceSequences(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT coalesce(max("${column}"), 0) + 1 FROM "${table}"), false)`,
      [`"${table}"`, column],
    )
  }
}
