import { resolve } from 'node:path'
import { Pool } from 'pg'
import { MINUTE } from '../../src/domain/granularity'
import { startThread, type ThreadOptions, WireStream } from './embedded-thread'
import { lockFolder } from './folder-lock'
import { unpackSecrets } from '../backups/restored-secrets'
import { serveSnapshots } from '../backups/snapshot'
import { claimFolder, makeFolder } from '../data-folder'

/** A thread that is silent for longer is dead (decision 0114). */
const SILENCE_LIMIT_MS = MINUTE

/**
 * Starts PGlite in a thread of its own, its data in `dataDir`/postgres, and takes the folder for this process alone.
 * @param options `durable` false: no fsync, for tests
 * @throws FolderInUseError
 */
export async function openEmbedded(
  dataDir: string,
  worker: URL,
  {
    durable,
    silence = SILENCE_LIMIT_MS,
    warn = () => undefined,
  }: Partial<ThreadOptions> & { readonly durable: boolean },
) {
  const root = makeFolder(dataDir)
  const snapshots = serveSnapshots(root)
  const unlock = await lockFolder(root, snapshots.onConnection)
  try {
    claimFolder(root)
    unpackSecrets(root)
    await snapshots.removeLeft()
    const thread = await startThread(worker, { folder: resolve(root, 'postgres'), durable }, { silence, warn })
    snapshots.begin(async (to) => {
      const answer = await thread.ask({ kind: 'snapshot', to })
      if (answer.kind === 'error') throw new Error(answer.message)
    })
    // One connection: PGlite has a single session, so transactions queue.
    const pool = new Pool({
      stream: () => new WireStream(thread.ask),
      max: 1,
      user: 'postgres',
      database: 'postgres',
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
    })
    const close = async (): Promise<void> => {
      await pool.end()
      await thread.close()
      snapshots.end()
      await unlock()
    }
    return { pool, failed: thread.failed, close }
  } catch (error) {
    await unlock()
    throw error
  }
}
