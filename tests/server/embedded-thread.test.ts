import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeCheckpoints } from '../../server/db/pglite-durability'
import { openEmbedded } from '../../server/db/embedded'
import type { FromWorker, WorkerSetup } from '../../server/db/embedded-thread'
import { MINUTE } from '../../src/domain/granularity'
import { fullDisk } from './support/full-disk'
import { fillFolder } from './support/prepared-folder'
import { testProgramFiles } from './support/program-files'
import { temporaryFolder } from './support/for-file'

/** The thread of the embedded database itself, and what the server makes of its silence and its end. */
const root = temporaryFolder()
const { pgliteWorker } = testProgramFiles()

async function newFolder(): Promise<string> {
  const made = join(root, randomUUID())
  await fillFolder(made)
  return made
}

/** One simple query in PostgreSQL's protocol. */
function query(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const message = Buffer.alloc(5 + text.length)
  message.write('Q')
  message.writeInt32BE(4 + text.length, 1)
  text.copy(message, 5)
  return new Uint8Array(message)
}

test('the thread of the embedded database answers 100 MB with a heap of 64 MB', async () => {
  const workerData: WorkerSetup = {
    folder: join(await newFolder(), 'postgres'),
    durable: false,
    progress: new SharedArrayBuffer(4),
  }
  const thread = new Worker(pgliteWorker, { workerData, resourceLimits: { maxOldGenerationSizeMb: 64 } })
  onTestFinished(async () => void (await thread.terminate()))
  let answered = 0
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.on('message', (message: FromWorker) => {
      if (message.kind === 'bytes') answered += message.bytes.length
      if (answered >= 100_000_000) return resolve()
      thread.postMessage({ kind: 'bytes', bytes: query(`SELECT repeat('x', 1000000)`) })
    })
  })
  expect(answered).toBeGreaterThanOrEqual(100_000_000)
})

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

describe('a database whose postmaster.pid is empty, as a power cut may leave it', () => {
  let folder: string
  let database: Awaited<ReturnType<typeof openEmbedded>>
  beforeAll(async () => {
    folder = await newFolder()
    writeFileSync(join(folder, 'postgres/postmaster.pid'), '')
    database = await openEmbedded(folder, pgliteWorker, { durable: false })
  })
  afterAll(() => database.close())

  test('an empty postmaster.pid, as a power cut may leave it, does not keep the embedded database from opening', async () => {
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('the log of the embedded database stays under 100 MB while 120 MB are written', { tags: ['full'] }, async () => {
    await database.pool.query('CREATE TABLE written (one int PRIMARY KEY, bytes bytea STORAGE EXTERNAL)')
    await database.pool.query(`INSERT INTO written VALUES (1, '')`)
    let largest = 0
    for (let megabyte = 0; megabyte < 120; megabyte++) {
      await database.pool.query('UPDATE written SET bytes = $1', [randomBytes(1_000_000)])
      largest = Math.max(largest, sizeOf(join(folder, 'postgres/pg_wal')))
    }
    expect(largest).toBeLessThan(100_000_000)
  })
})

test('a log of the embedded database that has grown at all gets a checkpoint after five minutes, one that has not gets none', async () => {
  const database = await PGlite.create(join(await newFolder(), 'postgres'))
  onTestFinished(() => database.close())
  let now = 0
  const log = makeCheckpoints(database, () => now)
  await log.begin()
  const look = async () => {
    for (let message = 0; message < 50; message++) await log.after(1)
    const { rows } = await database.query<{ lsn: string }>(
      'SELECT checkpoint_lsn::text AS lsn FROM pg_control_checkpoint()',
    )
    return rows[0]!.lsn
  }
  const begun = await look()
  now = 6 * MINUTE
  expect(await look()).toBe(begun)
  await database.exec('CREATE TABLE grown (one int)')
  const second = await look()
  expect(second).not.toBe(begun)
  await database.exec('INSERT INTO grown VALUES (1)')
  now += 4 * MINUTE
  expect(await look()).toBe(second)
  now += MINUTE
  expect(await look()).not.toBe(second)
})

test('on a full disk the embedded database fails with PostgreSQL’s reason, and a new start has every acknowledged row', async () => {
  const folder = await newFolder()
  const disk = fullDisk()
  onTestFinished(() => disk.remove())
  const first = await openEmbedded(folder, disk.worker(pgliteWorker), { durable: true })
  await first.pool.query('CREATE TABLE kept (number int PRIMARY KEY)')
  for (let number = 1; number <= 5; number++) await first.pool.query('INSERT INTO kept VALUES ($1)', [number])
  disk.fill()
  await expect(first.pool.query('INSERT INTO kept VALUES (6)')).rejects.toThrow('The embedded database stopped')
  expect((await first.failed).message).toMatch(/No space left on device/)
  await expect(first.pool.query('SELECT 1')).rejects.toThrow('The embedded database stopped')
  await first.close()

  await expect(openEmbedded(folder, disk.worker(pgliteWorker), { durable: true })).rejects.toThrow(
    /No space left on device/,
  )
  disk.freeSpace()
  const second = await openEmbedded(folder, disk.worker(pgliteWorker), { durable: true })
  onTestFinished(() => second.close())
  const { rows } = await second.pool.query<{ number: number }>('SELECT number FROM kept ORDER BY number')
  expect(rows.slice(0, 5).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
})

test('a thread of the embedded database that neither answers nor touches a file is ended, and the database fails', async () => {
  const database = await openEmbedded(await newFolder(), pgliteWorker, { durable: false, silence: 1_000 })
  const endless = database.pool.query('DO $$ BEGIN LOOP END LOOP; END $$')
  await expect(endless).rejects.toThrow('The embedded database stopped: its thread has not answered for 1 s')
  expect((await database.failed).message).toMatch('has not answered')
  await database.close()
})
