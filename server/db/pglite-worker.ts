import { PGlite } from '@electric-sql/pglite'
import { constants, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../src/domain/error-message'
import type { ThreadAnswer, FromWorker, ToWorker, WorkerSetup } from './embedded-thread'
import { makeCheckpoints, DurableFs } from './pglite-durability'

/**
 * Entry of the thread that runs the embedded database, so that a long statement does not hold up the server's event
 * loop. It speaks PostgreSQL's wire protocol: bytes in, bytes out, strictly one after the other.
 */
const { folder, durable, progress } = workerData as WorkerSetup
const port = parentPort
if (port === null) throw new Error('pglite-worker runs as a worker thread only')

const post = (message: FromWorker) => {
  port.postMessage(message, message.kind === 'bytes' ? [message.bytes.buffer as ArrayBuffer] : [])
}

/** Exit status with which PostgreSQL leaves its main loop after an error of a statement; PGlite goes on from there. */
const STATEMENT_FAILED = 100

const counter = new Int32Array(progress)
/** The last complaint of PostgreSQL that ends it, which says more than the exception that follows. */
let complaint = ''

/** `-F` turns fsync off; the default sync method of this build (fdatasync) is one that NODEFS does not have. */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...(durable ? ['-c', 'wal_sync_method=fsync'] : ['-F']),
  '-c',
  'jit=off',
  // How much of the log is kept for use again after a checkpoint (pglite-durability.ts makes them).
  '-c',
  'max_wal_size=48MB',
  '-c',
  'min_wal_size=32MB',
]

async function open(path: string): Promise<PGlite> {
  const fs = new DurableFs(path, () => Atomics.add(counter, 0, 1))
  const onStderr = (line: string) => {
    if (/\b(PANIC|FATAL):/.test(line)) complaint = line
    return false
  }
  try {
    return await PGlite.create({ fs, startParams, onStderr })
  } catch (error) {
    throw new Error(reason(error), { cause: error })
  }
}

const reason = (error: unknown): string => {
  const message = messageOf(error)
  return complaint === '' ? message : `${complaint} (${message})`
}

/** The build has made an empty database: making one takes PGlite 650 MB of memory, the opening of one that is there 130. */
const empty = new URL('empty-database', import.meta.url)

/** A new database appears under its name only when it is complete, so that a kill while it is made does no harm. */
async function make(): Promise<void> {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  if (existsSync(empty)) cpSync(empty, unfinished, { recursive: true })
  else await (await open(unfinished)).close()
  renameSync(unfinished, folder)
}

if (!existsSync(folder)) await make()
// PostgreSQL's own lock, which refuses every start if a crash has left it empty. The server's lock (folder-lock.ts) holds.
rmSync(join(folder, 'postmaster.pid'), { force: true })
const database = await open(folder)
endWithPostgres(database)
const log = makeCheckpoints(database, Date.now)
await log.begin()

/**
 * PGlite goes on after every exception of PostgreSQL's main loop, also after a PANIC (a full disk, a failed fsync), when
 * the memory of the database can be trusted no more. The thread ends there, before it answers; the next start recovers.
 */
function endWithPostgres({ Module }: PGlite): void {
  const loop = Module._PostgresMainLoopOnce
  Module._PostgresMainLoopOnce = () => {
    try {
      loop()
    } catch (error) {
      if ((error as { status?: unknown }).status !== STATEMENT_FAILED) end(error)
      throw error
    }
  }
}

function end(error: unknown): void {
  post({ kind: 'lost', message: reason(error) })
  process.exit(1)
}

/** Clears what the last connection left in the session, as a new session of a PostgreSQL server would be. */
async function reset(): Promise<void> {
  await database.exec('ROLLBACK')
  await database.exec('DISCARD ALL')
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'reset':
      await reset()
      return post({ kind: 'done' })
    case 'bytes': {
      const parts: Uint8Array[] = []
      // Not execProtocolRaw, which keeps what it parses of every answer for ever. Copied: a part is a view of the
      // database's memory.
      await database.execProtocolRawStream(message.bytes, { onRawData: (part) => parts.push(part.slice()) })
      const bytes = joined(parts)
      const idle = isIdle(bytes)
      post({ kind: 'bytes', bytes })
      if (idle) await keepLogShort(message.bytes.length)
      return
    }
    case 'snapshot':
      return post(copyFiles(message.to))
    case 'close':
      try {
        await database.close()
        post({ kind: 'done' })
      } catch (error) {
        post({ kind: 'error', message: reason(error) })
      }
      port?.close()
  }
}

/**
 * The thread copies between two statements and writes nothing meanwhile, so the copy is what a kill at this moment would
 * leave: every committed transaction, and of an open one nothing. A file system that can clones the files.
 */
function copyFiles(to: string): ThreadAnswer {
  const atWork = () => {
    Atomics.add(counter, 0, 1)
    return true
  }
  try {
    cpSync(folder, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: atWork })
    return { kind: 'done' }
  } catch (error) {
    // Such as a full disk: the database itself is as it was.
    return { kind: 'error', message: `The database's files could not be copied: ${reason(error)}` }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** True if an answer ends with ReadyForQuery outside a transaction. */
const isIdle = (answer: Uint8Array) => {
  const [code, , , , length, state] = answer.subarray(-6)
  return code === 'Z'.charCodeAt(0) && length === 5 && state === 'I'.charCodeAt(0)
}

async function keepLogShort(size: number): Promise<void> {
  try {
    await log.after(size)
  } catch (error) {
    post({ kind: 'warning', message: `The embedded database could not make a checkpoint: ${reason(error)}` })
  }
}

let queue = Promise.resolve()
port.on('message', (message: ToWorker) => {
  queue = queue.then(() => handle(message)).catch(end)
})
post({ kind: 'done' })
