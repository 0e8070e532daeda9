import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Pool, type PoolClient } from 'pg'
import { openEmbedded } from '../db/embedded'
import { FolderInUseError } from '../db/folder-lock'
import { requestSnapshot } from './snapshot'
import { type Database, requireEmbedded } from '../db/open'
import { appliedMigrations, MIGRATION_LOCK } from '../db/migrate'
import type { Env } from '../env'
import { placeOf } from '../db/place'
import { reachServer } from '../db/reach'
import type { ProgramFiles } from '../program-files'
import { VAPID_FILE } from '../services/push/vapid-keys'
import { JWT_SECRET_FILE } from '../services/sessions/access-token'
import type { BackupNote } from '../services/storage-figures'
import { type BackupEnd, type KeptSecret, readTables, writeMark } from './backup-lines'

type BackedUp = Pick<Env, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Env, 'DATABASE_LISTEN_URL'>>

/**
 * Opens the database that a backup reads, as it is: no migration is applied. If a server process holds the embedded
 * database, the backup reads a copy made by the server process, whose requests wait only while the files are copied.
 * @throws Error when there is no database
 */
async function openSource(
  { DATABASE_URL, DATABASE_LISTEN_URL, DATA_DIR }: BackedUp,
  { pgliteWorker }: Pick<ProgramFiles, 'pgliteWorker'>,
): Promise<Pick<Database, 'engine' | 'pool' | 'close'>> {
  if (DATABASE_URL !== undefined) {
    // The session keeps a lock for as long as it reads, which a pooler would hand on.
    const connectionString = await reachServer(DATABASE_LISTEN_URL ?? DATABASE_URL)
    const pool = new Pool({ connectionString, max: 1, options: '-c jit=off' })
    return { engine: 'postgres', pool, close: () => pool.end() }
  }
  requireEmbedded({ DATABASE_URL, DATA_DIR })
  try {
    return { engine: 'pglite', ...(await openEmbedded(DATA_DIR, pgliteWorker, { durable: true })) }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
  }
  const snapshot = await requestSnapshot(DATA_DIR)
  try {
    const copy = await openEmbedded(snapshot.folder, pgliteWorker, { durable: false })
    const close = async () => {
      await copy.close()
      snapshot.release()
    }
    return { engine: 'pglite', pool: copy.pool, close }
  } catch (error) {
    snapshot.release()
    throw error
  }
}

export interface BackupOptions {
  /** Keys and secrets that the server process made for itself go in. */
  readonly withSecrets?: boolean
  /** A database without an owner is backed up all the same. */
  readonly allowEmpty?: boolean
}

/**
 * Writes a backup of the database that `env` names to a new file that only its owner can read. A running server goes on
 * serving. The file appears under its name when it is complete.
 * @throws Error when the file exists, the database is empty, or it cannot be read
 */
export async function writeBackup(
  env: BackedUp,
  files: Pick<ProgramFiles, 'pgliteWorker'>,
  target: string,
  { withSecrets = false, allowEmpty = false }: BackupOptions = {},
): Promise<{ readonly end: BackupEnd; readonly bytes: number }> {
  const file = resolve(target)
  if (fs.existsSync(file)) throw new Error(`${file} exists already.`)
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${randomUUID()}.part`
  try {
    const secrets = withSecrets ? keptSecrets(env.DATA_DIR) : null
    const end = await writeText(env, files, unfinished, secrets)
    // A guest or a user is an owner: without one there is nothing of anybody, and most likely the place is another.
    if (!allowEmpty && (end.rows['owners'] ?? 0) === 0)
      throw new Error(`${placeOf(env)} is empty: it holds no user and no guest. Add --allow-empty to back it up.`)
    // Unlike a rename, a link does not replace a file that another process has made meanwhile.
    fs.linkSync(unfinished, file)
    const { size: bytes } = fs.statSync(file)
    // For /metrics and the superuser panel (`lastBackupAt`).
    const note: BackupNote = { finished_at: new Date().toISOString(), file, bytes }
    // A command beside PostgreSQL makes no folder; the schedule of a server has made it.
    if (fs.existsSync(env.DATA_DIR))
      fs.writeFileSync(join(env.DATA_DIR, 'backup.json'), JSON.stringify(note), { mode: 0o600 })
    return { end, bytes }
  } finally {
    fs.rmSync(unfinished, { force: true })
  }
}

async function writeText(
  env: BackedUp,
  files: Pick<ProgramFiles, 'pgliteWorker'>,
  file: string,
  secrets: readonly KeptSecret[] | null,
): Promise<BackupEnd> {
  const source = await openSource(env, files)
  let end: BackupEnd | null = null
  try {
    const client = await source.pool.connect()
    try {
      // Held with the connection: a snapshot of before a migration would find the tables that it rewrites empty.
      await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await client.query("SET LOCAL TIME ZONE 'UTC'")
      const text = dumpDatabase(client, source.engine, secrets, (found) => (end = found))
      await pipeline(
        Readable.from(text),
        createGzip(),
        fs.createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }),
      )
    } finally {
      // Ends the transaction with the connection.
      client.release(true)
    }
  } finally {
    await source.close()
  }
  if (end === null) throw new Error('The backup was not written to its end.')
  return end
}

/** The secrets that a server process has made for itself in `dataDir`. */
function keptSecrets(dataDir: string): KeptSecret[] {
  return ([JWT_SECRET_FILE, VAPID_FILE] as const)
    .filter((name) => fs.existsSync(join(dataDir, name)))
    .map((name) => ({ name, text: fs.readFileSync(join(dataDir, name), 'utf8') }))
}

/** Rows that are fetched at a time. */
const ROWS_PER_BATCH = 2000

/**
 * The text of a backup, in parts of whole lines. All rows are those of one moment: the caller's transaction must be
 * REPEATABLE READ.
 * @param secrets of the data folder; null: no secrets, the database's own neither
 * @param onEnd called with the last line's content
 */
async function* dumpDatabase(
  client: PoolClient,
  engine: Database['engine'],
  secrets: readonly KeptSecret[] | null,
  onEnd: (end: BackupEnd) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const hashed = (text: string): string => {
    hash.update(text)
    return text
  }
  const rows: Record<string, number> = {}
  const { rows: moments } = await client.query<{ now: Date }>('SELECT now()')
  const created_at = moments[0]!.now.toISOString()
  const migrations = await appliedMigrations(client)
  yield hashed(writeMark(['backup', { version: 1, created_at, engine, migrations, secrets: secrets !== null }]))
  const tables = await readTables(client)
  const stored = secrets === null || !tables.some(isSecret) ? [] : await storedVapidKeys(client)
  for (const secret of [...(secrets ?? []), ...stored]) yield hashed(writeMark(['file', secret]))
  for (const { name, columns } of tables) {
    if (isSecret({ name })) continue
    yield hashed(writeMark(['table', { name, columns }]))
    rows[name] = 0
    for await (const texts of rowsOf(client, name)) {
      rows[name] += texts.length
      yield hashed(texts.map((text) => `${text}\n`).join(''))
    }
  }
  const end = { rows, sha256: hash.digest('hex') }
  yield writeMark(['end', end])
  onEnd(end)
}

/** Server processes on PostgreSQL share their pair of keys by this table. */
const isSecret = ({ name }: { readonly name: string }): boolean => name === 'vapid_keys'

/** As the data folder keeps the pair: the embedded database reads it there, and PostgreSQL's processes take it from there. */
async function storedVapidKeys(client: PoolClient): Promise<KeptSecret[]> {
  const { rows } = await client.query<{ public_key: string; private_key: string }>(
    'SELECT public_key, private_key FROM vapid_keys WHERE private_key IS NOT NULL',
  )
  return rows.map(({ public_key: publicKey, private_key: privateKey }) => ({
    name: VAPID_FILE,
    text: JSON.stringify({ publicKey, privateKey }),
  }))
}

async function* rowsOf(client: PoolClient, table: string): AsyncGenerator<readonly string[]> {
  await client.query(`DECLARE dump NO SCROLL CURSOR FOR SELECT row_to_json(row)::text AS text FROM "${table}" AS row`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${ROWS_PER_BATCH} FROM dump`)
    if (rows.length === 0) break
    yield rows.map(({ text }) => text)
  }
  await client.query('CLOSE dump')
}
