import { existsSync, renameSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { DurableFs } from './durable-fs'
import type { FromWorker, ToWorker, WorkerSetup } from './pglite-protocol'

/**
 * Entry of the thread that runs the embedded database, so that a long statement does not hold up the server's event
 * loop. It speaks PostgreSQL's wire protocol: bytes in, bytes out, strictly one after the other.
 */
const { folder, durable } = workerData as WorkerSetup
const port = parentPort
if (port === null) throw new Error('pglite-worker runs as a worker thread only')

const post = (message: FromWorker) => {
  port.postMessage(message, message.type === 'bytes' ? [message.bytes.buffer as ArrayBuffer] : [])
}

/** `-F` turns fsync off; the default sync method of this build (fdatasync) is one that NODEFS does not have. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...(durable ? ['-c', 'wal_sync_method=fsync'] : ['-F']),
  '-c',
  'jit=off',
]
const open = (path: string) => PGlite.create({ fs: new DurableFs(path), startParams })

/** A new database appears under its name only when it is complete, so that a kill while it is made does no harm. */
async function make(): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const made = await open(unfinished)
  await made.close()
  renameSync(unfinished, folder)
}

if (!existsSync(folder)) await make()
const database = await open(folder)

/** What a session of a server of its own would start with. */
async function reset(): Promise<void> {
  await database.exec('ROLLBACK')
  await database.exec('DISCARD ALL')
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'reset':
      await reset()
      return post({ type: 'done' })
    case 'bytes': {
      // Copied: the answer is a view of the database's memory, and is transferred.
      const bytes = (await database.execProtocolRaw(message.bytes)).slice()
      return post({ type: 'bytes', bytes })
    }
    case 'close':
      await database.close()
      post({ type: 'done' })
      port?.close()
  }
}

let queue = Promise.resolve()
port.on('message', (message: ToWorker) => {
  queue = queue
    .then(() => handle(message))
    .catch((error: unknown) => post({ type: 'error', message: error instanceof Error ? error.message : String(error) }))
})
post({ type: 'done' })
