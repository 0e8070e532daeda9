import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Pool, type PoolClient } from 'pg'
import { openEmbedded } from '../db/embedded'
import { lockFolder } from '../db/folder-lock'
import { type Database, inTransaction } from '../db/open'
import { applyMigrations, knowsMigrations } from '../db/migrate'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'
import { keptFile } from '../private-files'
import {
  type BackupEnd,
  type BackupLine,
  DamagedBackupError,
  type KeptSecret,
  readLines,
  readTables,
  type Table,
} from './backup-lines'

/**
 * Restores a backup into an empty place: a DATA_DIR without a database, or a PostgreSQL database without tables. The file
 * is checked to its end first. All of it is restored or nothing.
 * @throws DamagedBackupError, NotEmptyError, FolderInUseError, or Error when a newer version of the program wrote the backup
 */
export async function restoreBackup(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  files: Pick<ProgramFiles, 'pgliteWorker' | 'migrations'>,
  file: string,
): Promise<BackupEnd> {
  await checkBackup(file, files.migrations)
  const load = (pool: Pool) =>
    inTransaction(pool, (client) => loadDatabase(client, backupLines(file), files.migrations))
  const { end, secrets } = await (env.DATABASE_URL === undefined
    ? intoFolder(env.DATA_DIR, files.pgliteWorker, load)
    : intoServer(env.DATABASE_URL, load))
  for (const { name, text } of secrets) keptFile(env.DATA_DIR, name, () => text)
  return end
}

/** Reads all of the file, so that a file that cannot be restored changes nothing. */
async function checkBackup(file: string, migrations: string): Promise<void> {
  for await (const line of backupLines(file)) {
    if (!('mark' in line) || line.mark[0] !== 'backup') continue
    if (!knowsMigrations(migrations, line.mark[1].migrations)) {
      throw new Error('A newer version of this program wrote the backup. Restore it with that one.')
    }
  }
}

type Loaded = Awaited<ReturnType<typeof loadDatabase>>

function intoServer(url: string, load: (pool: Pool) => Promise<Loaded>): Promise<Loaded> {
  const pool = new Pool({ connectionString: url, max: 1, options: '-c jit=off' })
  return loadAndClose({ pool, close: () => pool.end() }, load)
}

/** The database appears under its name when it is complete, so a kill leaves an empty place. */
async function intoFolder(dataDir: string, worker: URL, load: (pool: Pool) => Promise<Loaded>): Promise<Loaded> {
  const root = resolve(dataDir)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(root)
  const making = join(root, 'restore')
  try {
    if (existsSync(join(root, 'postgres'))) throw new NotEmptyError(`There is a database in ${root} already.`)
    rmSync(making, { recursive: true, force: true })
    const database = await openEmbedded(making, worker, { durable: true })
    const loaded = await loadAndClose(database, load)
    renameSync(join(making, 'postgres'), join(root, 'postgres'))
    return loaded
  } finally {
    rmSync(making, { recursive: true, force: true })
    await unlock()
  }
}

async function loadAndClose(
  { pool, close }: Pick<Database, 'pool' | 'close'>,
  load: (pool: Pool) => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load(pool)
  } finally {
    await close()
  }
}

async function* backupLines(file: string): AsyncGenerator<BackupLine> {
  const packed = createReadStream(file)
  try {
    yield* readLines(Readable.from(unpacked(packed)))
  } finally {
    packed.destroy()
  }
}

/** @throws DamagedBackupError where the file is not gzip, or ends too soon */
async function* unpacked(packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  packed.once('error', (error) => gunzip.destroy(error))
  try {
    yield* packed.pipe(gunzip) as AsyncIterable<Buffer>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_') !== true) throw error
    const fault =
      code === 'Z_DATA_ERROR'
        ? 'This file is no backup of this program, or it is damaged.'
        : 'The backup is damaged: the file is cut off.'
    throw new DamagedBackupError(fault, { cause: error })
  } finally {
    gunzip.destroy()
  }
}

/** Characters of rows that one statement inserts. */
const INSERT_BATCH_BYTES = 500_000

/** The database has tables already. */
class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError'
}

/**
 * Fills an empty database from a backup, in the caller's transaction: tables as the backup's migrations make them, then the
 * rows. The server process applies later migrations at its next start.
 * @param migrations folder with Drizzle's generated migrations
 * @returns the backup's secrets, for the caller to keep
 * @throws NotEmptyError, DamagedBackupError
 */
async function loadDatabase(
  client: PoolClient,
  lines: AsyncIterable<BackupLine>,
  migrations: string,
): Promise<{ readonly end: BackupEnd; readonly secrets: readonly KeptSecret[] }> {
  const { rows: present } = await client.query("SELECT FROM pg_tables WHERE schemaname = 'public'")
  if (present.length > 0) throw new NotEmptyError('The database is not empty: it has tables already.')
  const secrets: KeptSecret[] = []
  let table: Table | null = null
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
    if (kind === 'backup') {
      await applyMigrations(client, migrations, content.migrations)
      const made = (await readTables(client)).map(({ name }) => `"${name}"`)
      // Rows that a migration inserts stand in the backup as well.
      await client.query(`TRUNCATE ${made.join(', ')}`)
    }
    if (kind === 'file') secrets.push(content)
    if (kind === 'table') table = content
    if (kind === 'end') end = content
  }
  if (end === null) throw new DamagedBackupError('The backup is damaged: its end is missing.')
  await advanceSequences(client)
  return { end, secrets }
}

/** PostgreSQL parses the rows itself, as it wrote them: no number passes through JavaScript. */
async function insertRows(client: PoolClient, { name, columns }: Table, rows: readonly string[]): Promise<void> {
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
