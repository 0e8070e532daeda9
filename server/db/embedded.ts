import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Pool } from 'pg'
import { lockFolder } from './folder-lock'
import type { FromWorker, ToWorker, WorkerSetup } from './pglite-protocol'
import { WireStream } from './wire-stream'

export interface EmbeddedDatabase {
  /** One connection: PGlite has a single session, so transactions queue. */
  readonly pool: Pool
  /** Settles when the thread ends without having been asked to. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

/**
 * Starts PGlite in a thread of its own, its data in `dataDir`/postgres, and takes the folder for this process alone.
 * @throws FolderInUseError
 */
export async function openEmbedded(dataDir: string, worker: URL, durable: boolean): Promise<EmbeddedDatabase> {
  const root = resolve(dataDir)
  mkdirSync(root, { recursive: true })
  const unlock = await lockFolder(root)
  try {
    const thread = await startThread(worker, { folder: resolve(root, 'postgres'), durable })
    const pool = new Pool({
      stream: () => new WireStream(thread.ask),
      max: 1,
      user: 'postgres',
      database: 'postgres',
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
    })
    const close = async () => {
      await pool.end()
      await thread.close()
      await unlock()
    }
    return { pool, failed: thread.failed, close }
  } catch (error) {
    await unlock()
    throw error
  }
}

interface Thread {
  readonly ask: (message: ToWorker) => Promise<FromWorker>
  readonly failed: Promise<Error>
  close(): Promise<void>
}

async function startThread(file: URL, setup: WorkerSetup): Promise<Thread> {
  const worker = new Worker(file, { workerData: setup })
  const waiting: ((answer: FromWorker) => void)[] = []
  const answer = () => new Promise<FromWorker>((resolve) => waiting.push(resolve))
  let closing = false
  const failed = new Promise<Error>((resolve) => {
    let cause = new Error('The embedded database stopped')
    worker.on('error', (error) => {
      cause = new Error(`The embedded database stopped: ${error.message}`, { cause: error })
    })
    worker.on('exit', () => {
      for (const take of waiting.splice(0)) take({ type: 'error', message: cause.message })
      if (!closing) resolve(cause)
    })
  })
  worker.on('message', (message: FromWorker) => waiting.shift()?.(message))

  const started = await answer()
  if (started.type === 'error') throw new Error(started.message)
  const ask = (message: ToWorker) => {
    const answered = answer()
    worker.postMessage(message)
    return answered
  }
  const close = async () => {
    closing = true
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    const closed = await ask({ type: 'close' })
    await ended
    if (closed.type === 'error') throw new Error(closed.message)
  }
  return { ask, failed, close }
}
