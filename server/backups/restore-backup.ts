import { existsSync, mkdirSync, renameSync, rmSync, createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Pool } from 'pg'
import { type EmbeddedDatabase, openEmbedded } from '../db/embedded'
import { lockFolder } from '../db/folder-lock'
import { knowsMigrations } from '../db/migrate'
import { inTransaction } from '../db/transaction'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'
import { keptFile } from '../private-files'
import { type BackupEnd, type BackupLine, DamagedBackupError, type KeptSecret, readLines } from './backup-lines'
import { loadDatabase, NotEmptyError } from './load-database'

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

/** Reads all of the file, so that one that cannot be restored changes nothing. */
async function checkBackup(file: string, migrations: string): Promise<void> {
  for await (const line of backupLines(file)) {
    if (!('mark' in line) || line.mark[0] !== 'backup') continue
    if (!knowsMigrations(migrations, line.mark[1].migrations)) {
      throw new Error('A newer version of this program wrote the backup. Restore it with that one.')
    }
  }
}

interface Loaded {
  readonly end: BackupEnd
  readonly secrets: readonly KeptSecret[]
}

async function intoServer(url: string, load: (pool: Pool) => Promise<Loaded>): Promise<Loaded> {
  const pool = new Pool({ connectionString: url, max: 1, options: '-c jit=off' })
  try {
    return await load(pool)
  } finally {
    await pool.end()
  }
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

async function loadAndClose(database: EmbeddedDatabase, load: (pool: Pool) => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load(database.pool)
  } finally {
    await database.close()
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
    throw new DamagedBackupError(
      code === 'Z_DATA_ERROR'
        ? 'This file is no backup of this program, or it is damaged.'
        : 'The backup is damaged: the file is cut off.',
      { cause: error },
    )
  } finally {
    gunzip.destroy()
  }
}
