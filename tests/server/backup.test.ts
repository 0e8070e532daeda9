import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { DamagedBackupError } from '../../server/backups/backup-lines'
import { NotEmptyError, restoreBackup } from '../../server/backups/restore-backup'
import { writeBackup } from '../../server/backups/write-backup'
import { openDatabase } from '../../server/db/open'
import { allRows, insertAwkwardRows } from './support/awkward-rows'
import { databaseOnServer } from './support/database-on-server'
import { fillFolder } from './support/prepared-folder'
import { testProgramFiles } from './support/program-files'

/** Databases are made, which takes seconds of processor time each: the limit ends what hangs. Milliseconds. */
vi.setConfig({ testTimeout: 240_000 })

const files = testProgramFiles()
const root = mkdtempSync(join(tmpdir(), 'ratio-backup-'))
afterAll(() => {
  vi.resetConfig()
  rmSync(root, { recursive: true, force: true })
})
const newFile = () => join(root, `${randomUUID()}.gz`)

interface Place {
  readonly DATABASE_URL: string | undefined
  readonly DATA_DIR: string
}
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const onServer = process.env['TEST_DATABASE_URL'] ?? ''
const engines = onServer === '' ? (['pglite'] as const) : (['pglite', 'postgres'] as const)
type Engine = (typeof engines)[number]

async function emptyPlace(engine: Engine): Promise<Place> {
  const DATA_DIR = mkdtempSync(join(root, 'place-'))
  if (engine === 'pglite') return { DATABASE_URL: undefined, DATA_DIR }
  const { url, drop } = await databaseOnServer(onServer)
  closing.push(drop)
  return { DATABASE_URL: url, DATA_DIR }
}

/** A database with awkward rows that a server process holds open, and its rows. */
async function runningServer(engine: Engine) {
  const place = await emptyPlace(engine)
  if (engine === 'pglite') await fillFolder(place.DATA_DIR)
  const database = await openDatabase(place, files, { durable: false })
  closing.unshift(() => database.close())
  await insertAwkwardRows(database)
  return { place, database, rows: await allRows(database.pool) }
}

async function rowsIn(place: Place) {
  const database = await openDatabase(place, files, { durable: false })
  try {
    return await allRows(database.pool)
  } finally {
    await database.close()
  }
}

const ways = engines.flatMap((from) => engines.map((to) => [from, to] as const))
test.each(ways)('a backup of a running %s server is restored into an empty %s row by row', async (from, to) => {
  const { place, rows } = await runningServer(from)
  const file = newFile()
  const { end } = await writeBackup(place, files, file, false)
  expect(end.rows).toMatchObject({ widgets: 3, market_points: 10_000, sessions: 1 })
  const target = await emptyPlace(to)
  expect(await restoreBackup(target, files, file)).toEqual(end)
  const restored = await openDatabase(target, files, { durable: false })
  closing.unshift(() => restored.close())
  expect(await allRows(restored.pool)).toEqual(rows)
  // A new row gets a number that no restored row has.
  const { rows: added } = await restored.pool.query(
    "INSERT INTO pairs (coin_a_id, coin_b_id) VALUES ('x', 'y') RETURNING id",
  )
  expect(added).toEqual([{ id: 3001 }])
})

describe('beside a running embedded server', () => {
  test('a backup holds what was committed and nothing of an open transaction, which goes on and commits', async () => {
    const { place, database, rows } = await runningServer('pglite')
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await client.query('DELETE FROM widgets')
    const file = newFile()
    await writeBackup(place, files, file, false)
    await client.query('COMMIT')
    client.release()
    expect((await database.pool.query('SELECT FROM widgets')).rowCount).toBe(0)
    const target = await emptyPlace('pglite')
    await restoreBackup(target, files, file)
    expect((await rowsIn(target))['widgets']).toEqual(rows['widgets'])
  })

  test('two backups at once: one is written, and the other is told that it is being made', async () => {
    const { place } = await runningServer('pglite')
    const results = await Promise.allSettled([1, 2].map(() => writeBackup(place, files, newFile(), false)))
    const told = results.map((result) => (result.status === 'fulfilled' ? 'written' : (result.reason as Error).message))
    expect(told.toSorted()).toEqual(['Another backup is being made.', 'written'])
    await writeBackup(place, files, newFile(), false)
  })

  test('a backup leaves no copy of the database behind', async () => {
    const { place } = await runningServer('pglite')
    await writeBackup(place, files, newFile(), false)
    await expect.poll(() => existsSync(join(place.DATA_DIR, 'snapshot'))).toBe(false)
  })
})

describe('a written backup', () => {
  let place: Place
  let file: string
  let close: () => Promise<void>
  beforeAll(async () => {
    place = { DATABASE_URL: undefined, DATA_DIR: mkdtempSync(join(root, 'written-')) }
    await fillFolder(place.DATA_DIR)
    const database = await openDatabase(place, files, { durable: false })
    close = () => database.close()
    await insertAwkwardRows(database)
    writeFileSync(join(place.DATA_DIR, 'jwt-secret'), 'a secret of forty-eight bytes, or about that many')
    writeFileSync(join(place.DATA_DIR, 'vapid-keys.json'), 'a pair')
    file = newFile()
    await writeBackup(place, files, file, false)
  })
  afterAll(() => close())

  /** Restores changed text; nothing must be left of it. */
  async function restoreChanged(change: (text: string) => string): Promise<unknown> {
    const changed = newFile()
    writeFileSync(changed, gzipSync(change(gunzipSync(readFileSync(file)).toString())))
    return restoreInto(changed)
  }
  async function restoreInto(changed: string): Promise<unknown> {
    const target = await emptyPlace('pglite')
    const outcome = await restoreBackup(target, files, changed).then(
      () => 'restored',
      (error: unknown) => error,
    )
    expect(readdirSync(target.DATA_DIR)).toEqual([])
    return outcome
  }

  test('can be read by its owner alone, has no unfinished file beside it, and is noted with time and size', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(root).filter((name) => name.endsWith('.part'))).toEqual([])
    const note: unknown = JSON.parse(readFileSync(join(place.DATA_DIR, 'backup.json'), 'utf8'))
    expect(note).toEqual({ finished_at: expect.any(String), file, bytes: statSync(file).size })
  })

  test('does not replace a file that exists', async () => {
    const before = readFileSync(file)
    await expect(writeBackup(place, files, file, false)).rejects.toThrow('exists already')
    expect(readFileSync(file)).toEqual(before)
  })

  test.each([
    ['one digit of a row changed', (text: string) => text.replace('"bucket":1999', '"bucket":1998')],
    ['one row removed', (text: string) => text.replace(/\{"coin_key":2,[^\n]*\n/, '')],
    ['its end cut off between two lines', (text: string) => text.slice(0, text.lastIndexOf('["end"'))],
    ['its end cut off within a line', (text: string) => text.slice(0, -30)],
    ['a line that is neither row nor mark', (text: string) => text.replace('["table"', 'table')],
  ])('is refused as damaged with %s, and restores nothing', async (_, change) => {
    expect(await restoreChanged(change)).toBeInstanceOf(DamagedBackupError)
  })

  test('is refused as damaged when the file is cut off, and so is a file that is none', async () => {
    const cut = newFile()
    writeFileSync(cut, readFileSync(file).subarray(0, 20_000))
    expect(await restoreInto(cut)).toBeInstanceOf(DamagedBackupError)
    const other = newFile()
    writeFileSync(other, 'coin,price\n')
    expect(await restoreInto(other)).toEqual(
      new DamagedBackupError('This file is no backup of this program, or it is damaged.'),
    )
  })

  test('of a newer version of the program is refused', async () => {
    const newer = (text: string) => {
      const [head = '', ...rest] = text.split('\n')
      const body = [head.replace('"migrations":[', '"migrations":[99,'), ...rest.slice(0, -2), ''].join('\n')
      const [, end] = JSON.parse(rest.at(-2) ?? '') as ['end', object]
      const sha256 = createHash('sha256').update(body).digest('hex')
      return `${body}${JSON.stringify(['end', { ...end, sha256 }])}\n`
    }
    expect(String(await restoreChanged(newer))).toContain('A newer version of this program wrote the backup.')
  })

  test('is not restored over a database that is there', async () => {
    const target = await emptyPlace('pglite')
    await fillFolder(target.DATA_DIR)
    await expect(restoreBackup(target, files, file)).rejects.toThrow(NotEmptyError)
    expect(Object.values(await rowsIn(target)).flat().length).toBeLessThan(20)
  })

  test.skipIf(onServer === '')('is not restored into a PostgreSQL database that has tables', async () => {
    const target = await emptyPlace('postgres')
    const pool = new Pool({ connectionString: target.DATABASE_URL })
    await pool.query('CREATE TABLE mine (a int)')
    await expect(restoreBackup(target, files, file)).rejects.toThrow(NotEmptyError)
    const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await pool.end()
    expect(rows).toEqual([{ tablename: 'mine' }])
  })

  test.skipIf(onServer === '')(
    'of PostgreSQL holds the shared VAPID keys only on request, for the restored data folder',
    async () => {
      const { place: source, database } = await runningServer('postgres')
      await database.pool.query(`INSERT INTO vapid_keys VALUES (1, 'known to all', 'known to us')`)
      const [without, secret] = [newFile(), newFile()]
      await writeBackup(source, files, without, false)
      await writeBackup(source, files, secret, true)
      expect(gunzipSync(readFileSync(without)).toString()).not.toContain('known to')
      const target = await emptyPlace('postgres')
      await restoreBackup(target, files, secret)
      const kept: unknown = JSON.parse(readFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'utf8'))
      expect(kept).toEqual({ publicKey: 'known to all', privateKey: 'known to us' })
    },
  )

  test('holds kept secrets only on request, and a restore keeps a secret that is there already', async () => {
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('forty-eight')
    const secret = newFile()
    await writeBackup(place, files, secret, true)
    const target = await emptyPlace('pglite')
    writeFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'a pair that browsers have subscribed with already')
    await restoreBackup(target, files, secret)
    const read = (name: string) => readFileSync(join(target.DATA_DIR, name), 'utf8')
    expect([read('jwt-secret'), read('vapid-keys.json')]).toEqual([
      'a secret of forty-eight bytes, or about that many',
      'a pair that browsers have subscribed with already',
    ])
    expect(statSync(join(target.DATA_DIR, 'jwt-secret')).mode & 0o777).toBe(0o600)
  })
})
