import { createReadStream, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Pool, type PoolClient } from 'pg'
import { claimFolder, giveUpFolder, makeFolder, requireOwnFolder } from '../data-folder'
import { openEmbedded } from '../db/embedded'
import { lockFolder } from '../db/folder-lock'
import { type Database, inTransaction } from '../db/open'
import { applyMigrations, knowsMigrations } from '../db/migrate'
import { reachServer } from '../db/reach'
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
import { packSecrets, unpackSecrets } from './restored-secrets'

/**
 * Restores a backup into an empty place: a DATA_DIR without a database, or a PostgreSQL database without tables. The file
 * is checked to its end first. All of it is restored or nothing.
 * @throws DamagedBackupError, NotEmptyError, FolderInUseError, or Error when a newer version of the program wrote the backup
 */
export async function restoreBackup(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Env, 'DATABASE_LISTEN_URL'>>,
  files: Pick<ProgramFiles, 'pgliteWorker' | 'migrations'>,
  file: string,
  withSecrets = false,
): Promise<Restored> {
  requireOwnFolder(env.DATA_DIR)
  await checkBackup(file, files.migrations)
  const isThere = ({ name }: KeptSecret) => existsSync(join(env.DATA_DIR, name))
  const namesOf = (secrets: readonly KeptSecret[]) => secrets.map(({ name }) => name)
  const outcomeOf = (secrets: readonly KeptSecret[]): Restored['secrets'] => ({
    restored: withSecrets ? namesOf(secrets.filter((secret) => !isThere(secret))) : [],
    kept: withSecrets ? namesOf(secrets.filter(isThere)) : [],
    left: withSecrets ? [] : namesOf(secrets),
  })
  const load = async (pool: Pool, keep: (secrets: readonly KeptSecret[]) => void): Promise<Restored> =>
    inTransaction(pool, async (client) => {
      const { end, secrets } = await loadDatabase(client, backupLines(file), files.migrations)
      const outcome = outcomeOf(secrets)
      keep(secrets.filter(({ name }) => outcome.restored.includes(name)))
      return { end, secrets: outcome }
    })
  return env.DATABASE_URL === undefined
    ? intoFolder(env.DATA_DIR, files.pgliteWorker, load)
    : intoServer(env.DATABASE_LISTEN_URL ?? env.DATABASE_URL, env.DATA_DIR, load)
}

/** The end of a restored backup, and the names of the secrets that it holds. */
interface Restored {
  readonly end: BackupEnd
  readonly secrets: {
    /** In the data folder now. */
    readonly restored: readonly string[]
    /** In the data folder before, which stay as they were. */
    readonly kept: readonly string[]
    /** Not asked for. */
    readonly left: readonly string[]
  }
}

/** Reads all of the file, so that a file that cannot be restored changes nothing. */
async function checkBackup(file: string, migrations: string): Promise<void> {
  // The restore reads it twice, which a pipe does not bear.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(`${file} is no file.`)
  for await (const line of backupLines(file)) {
    if (!('mark' in line) || line.mark[0] !== 'backup') continue
    if (!knowsMigrations(migrations, line.mark[1].migrations)) {
      throw new Error('A newer version of this program wrote the backup. Restore it with that one.')
    }
  }
}

type Load = (pool: Pool, keep: (secrets: readonly KeptSecret[]) => void) => Promise<Restored>

/** The secrets come first, so that no kill leaves a database without them. */
async function intoServer(url: string, dataDir: string, load: Load): Promise<Restored> {
  const pool = new Pool({ connectionString: await reachServer(url), max: 1, options: '-c jit=off' })
  const keep = (secrets: readonly KeptSecret[]) => {
    for (const { name, text } of secrets) keptFile(dataDir, name, () => text)
  }
  return loadAndClose({ pool, close: () => pool.end() }, (pool) => load(pool, keep))
}

/** The database appears under its name when it is complete, so a kill leaves an empty place. */
async function intoFolder(dataDir: string, worker: URL, load: Load): Promise<Restored> {
  if (existsSync(join(dataDir, 'postgres'))) throw new NotEmptyError(`There is a database in ${dataDir} already.`)
  const before = existsSync(dataDir) ? readdirSync(dataDir) : null
  const root = makeFolder(dataDir)
  const unlock = await lockFolder(root)
  const making = join(root, 'restore')
  try {
    if (existsSync(join(root, 'postgres'))) throw new NotEmptyError(`There is a database in ${root} already.`)
    claimFolder(root)
    rmSync(making, { recursive: true, force: true })
    const database = await openEmbedded(making, worker, { durable: true })
    let packed: readonly KeptSecret[] = []
    const restored = await loadAndClose(database, (pool) => load(pool, (secrets) => (packed = secrets)))
    packSecrets(making, packed)
    renameSync(join(making, 'postgres'), join(root, 'postgres'))
    unpackSecrets(root)
    return restored
  } finally {
    rmSync(making, { recursive: true, force: true })
    await unlock()
    if (!existsSync(join(root, 'postgres'))) giveUpFolder(root, before)
  }
}

async function loadAndClose(
  { pool, close }: Pick<Database, 'pool' | 'close'>,
  load: (pool: Pool) => Promise<Restored>,
): Promise<Restored> {
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

/** Rows are packed to a tenth; a file that was made to fill a disk is packed to a thousandth. */
const MOST_PACKED = 200
const FREE_BYTES = 10_000_000

/** @throws DamagedBackupError where the file is not gzip, or ends too soon */
async function* unpacked(packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let bytes = 0
  packed.once('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > FREE_BYTES + MOST_PACKED * gunzip.bytesWritten)
        throw new DamagedBackupError('This file is no backup of this program: it is packed too densely.')
      yield chunk
    }
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
const INSERT_BATCH_BYTES = 100_000

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
  let made: readonly Table[] = []
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
      made = await readTables(client)
      // Rows that a migration inserts stand in the backup as well.
      await client.query(`TRUNCATE ${made.map(({ name }) => `"${name}"`).join(', ')}`)
      await setTriggers(client, made, 'DISABLE')
    }
    if (kind === 'file') secrets.push(content)
    if (kind === 'table') table = requireTable(made, content)
    if (kind === 'end') end = content
  }
  if (end === null) throw new DamagedBackupError('The backup is damaged: its end is missing.')
  await setTriggers(client, made, 'ENABLE')
  await advanceSequences(client)
  return { end, secrets }
}

/** Rows that triggers write stand in the backup as well. Foreign keys stay in force. */
async function setTriggers(client: PoolClient, tables: readonly Table[], state: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE "${name}" ${state} TRIGGER USER`)
}

/** Names stand in statements, so they are those of our own schema, whatever the file says. */
function requireTable(made: readonly Table[], { name, columns }: Table): Table {
  const own = made.find((table) => table.name === name)
  if (
    own === undefined ||
    !columns.every((column) => own.columns.includes(column)) ||
    new Set(columns).size < columns.length
  )
    throw new DamagedBackupError('The backup is damaged: it holds a table that this program does not have.')
  return { name: own.name, columns: own.columns.filter((column) => columns.includes(column)) }
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
