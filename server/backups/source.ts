import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { openEmbedded } from '../db/embedded'
import { FolderInUseError } from '../db/folder-lock'
import { requestSnapshot } from '../db/snapshot'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'

interface Source {
  readonly engine: 'pglite' | 'postgres'
  readonly pool: Pool
  close(): Promise<void>
}

/**
 * Opens the database that a backup reads, as it is: no migration is applied. If a server process holds the embedded
 * database, the backup reads a copy made by the server process, whose requests wait only while the files are copied.
 * @throws Error when there is no database
 */
export async function openSource(
  { DATABASE_URL, DATA_DIR }: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  { pgliteWorker }: Pick<ProgramFiles, 'pgliteWorker'>,
): Promise<Source> {
  if (DATABASE_URL !== undefined) {
    const pool = new Pool({ connectionString: DATABASE_URL, max: 1, options: '-c jit=off' })
    return { engine: 'postgres', pool, close: () => pool.end() }
  }
  if (!existsSync(join(DATA_DIR, 'postgres'))) throw new Error(`There is no database in ${DATA_DIR}.`)
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
