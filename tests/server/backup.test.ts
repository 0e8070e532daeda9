import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackupEnd, DamagedBackupError } from '../../server/backups/backup-lines'
import { restoreBackup } from '../../server/backups/restore-backup'
import { writeBackup } from '../../server/backups/write-backup'
import { openDatabase } from '../../server/db/open'
import type { ProgramFiles } from '../../server/program-files'
import { allRows, insertAwkwardRows } from './support/awkward-rows'
import { databaseOnServer } from './support/database-on-server'
import { fillFolder, filesWithMadeDatabase } from './support/prepared-folder'
import { temporaryFolder } from './support/for-file'

/** Databases are opened, which takes a second of processor time each: the limit ends what hangs. Milliseconds. */
const LIMIT = 240_000

const root = temporaryFolder()
const newFile = () => join(root, `${randomUUID()}.gz`)
let files: ProgramFiles

interface Place {
  readonly DATABASE_URL: string | undefined
  readonly DATA_DIR: string
}
const closing: (() => Promise<void>)[] = []

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

async function open(place: Place) {
  const database = await openDatabase(place, files, { durable: false })
  closing.unshift(() => database.close())
  return database
}

/** Backups of a database with awkward rows that a server process holds open. */
interface Source {
  readonly place: Place
  /** Before all backups. */
  readonly rows: Awaited<ReturnType<typeof allRows>>
  /** The outcomes of two that were begun at once, in words. */
  readonly told: readonly string[]
  /** The one of these that was written. */
  readonly file: string
  /** Written afterwards, with secrets, while a transaction had removed all widgets and was still open. */
  readonly secret: { readonly file: string; readonly end: BackupEnd }
  /** Once that transaction has committed. */
  readonly widgetsLeft: number
}
const sources = new Map<Engine, Source>()

async function backUp(engine: Engine): Promise<Source> {
  const place = await emptyPlace(engine)
  if (engine === 'pglite') await fillFolder(place.DATA_DIR)
  const database = await open(place)
  const { pool } = database
  await insertAwkwardRows(database)
  writeFileSync(join(place.DATA_DIR, 'jwt-secret'), 'a secret of forty-eight bytes, or about that many')
  if (engine === 'pglite') writeFileSync(join(place.DATA_DIR, 'vapid-keys.json'), 'a pair')
  else await pool.query(`INSERT INTO vapid_keys VALUES (1, 'known to all', 'known to us')`)
  const rows = await allRows(pool)
  const tried = [newFile(), newFile()]
  const results = await Promise.allSettled(tried.map((file) => writeBackup(place, files, file, false)))
  const told = results.map((result) => (result.status === 'fulfilled' ? 'written' : (result.reason as Error).message))
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('DELETE FROM widgets')
  const secret = newFile()
  const { end } = await writeBackup(place, files, secret, true)
  await client.query('COMMIT')
  client.release()
  const widgetsLeft = (await pool.query('SELECT FROM widgets')).rowCount ?? 0
  const file = tried[told.indexOf('written')]!
  return { place, rows, told, file, secret: { file: secret, end }, widgetsLeft }
}

beforeAll(async () => {
  files = await filesWithMadeDatabase()
  for (const engine of engines) sources.set(engine, await backUp(engine))
}, LIMIT)
afterAll(async () => {
  for (const close of closing.splice(0)) await close()
})

const ways = engines.flatMap((from) => engines.map((to) => [from, to] as const))
test.each(ways)(
  'a backup of a running %s server is restored into an empty %s row by row, and a secret that is there already stays',
  async (from, to) => {
    const { rows, secret } = sources.get(from)!
    expect(secret.end.rows).toMatchObject({ widgets: 3, market_points: 10_000, sessions: 1 })
    const target = await emptyPlace(to)
    writeFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'a pair that browsers have subscribed with already')
    expect(await restoreBackup(target, files, secret.file)).toEqual(secret.end)
    const read = (name: string) => readFileSync(join(target.DATA_DIR, name), 'utf8')
    expect([read('jwt-secret'), read('vapid-keys.json')]).toEqual([
      'a secret of forty-eight bytes, or about that many',
      'a pair that browsers have subscribed with already',
    ])
    expect(statSync(join(target.DATA_DIR, 'jwt-secret')).mode & 0o777).toBe(0o600)
    const { pool } = await open(target)
    // The keys that PostgreSQL's processes share go into the data folder, where the next process takes them from.
    expect(await allRows(pool)).toEqual({ ...rows, vapid_keys: [] })
    // A new row gets a number that no restored row has.
    const { rows: added } = await pool.query("INSERT INTO pairs (coin_a_id, coin_b_id) VALUES ('x', 'y') RETURNING id")
    expect(added).toEqual([{ id: 3001 }])
  },
  LIMIT,
)

test.each(engines)(
  'a backup beside a running %s server holds what was committed and nothing of an open transaction, which goes on and commits',
  (engine) => {
    const { secret, widgetsLeft } = sources.get(engine)!
    expect([secret.end.rows['widgets'], widgetsLeft]).toEqual([3, 0])
  },
)

describe('beside a running embedded server', () => {
  test('two backups at once: one is written, and the other is told that it is being made; then there can be another', () => {
    const { told, secret } = sources.get('pglite')!
    expect(told.toSorted()).toEqual(['Another backup is being made.', 'written'])
    expect(existsSync(secret.file)).toBe(true)
  })

  test('a backup leaves no copy of the database behind', async () => {
    const { place } = sources.get('pglite')!
    await expect.poll(() => existsSync(join(place.DATA_DIR, 'snapshot'))).toBe(false)
  })
})

describe('a written backup', () => {
  let place: Place
  let file: string
  beforeAll(() => {
    ;({ place, file } = sources.get('pglite')!)
  })

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
    const { file } = sources.get('pglite')!.secret
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
    mkdirSync(join(target.DATA_DIR, 'postgres'))
    writeFileSync(join(target.DATA_DIR, 'postgres/PG_VERSION'), 'mine')
    await expect(restoreBackup(target, files, file)).rejects.toMatchObject({ name: 'NotEmptyError' })
    expect(readdirSync(target.DATA_DIR, { recursive: true }).toSorted()).toEqual(['postgres', 'postgres/PG_VERSION'])
  })

  test('of a place without a database is not written, and a file that is not there is not restored', async () => {
    const place = await emptyPlace('pglite')
    const never = newFile()
    await expect(writeBackup(place, files, never, false)).rejects.toThrow(`There is no database in ${place.DATA_DIR}.`)
    expect(existsSync(never)).toBe(false)
    await expect(restoreBackup(place, files, never)).rejects.toThrow('no such file')
    expect(readdirSync(place.DATA_DIR)).toEqual([])
  })

  test.skipIf(onServer === '')('is not restored into a PostgreSQL database that has tables', async () => {
    const target = await emptyPlace('postgres')
    const pool = new Pool({ connectionString: target.DATABASE_URL })
    await pool.query('CREATE TABLE mine (a int)')
    await expect(restoreBackup(target, files, file)).rejects.toMatchObject({ name: 'NotEmptyError' })
    const { rows } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await pool.end()
    expect(rows).toEqual([{ tablename: 'mine' }])
  })

  test.skipIf(onServer === '')('of PostgreSQL holds the shared VAPID keys only on request', async () => {
    const { file, secret } = sources.get('postgres')!
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('known to')
    const target = await emptyPlace('postgres')
    await restoreBackup(target, files, secret.file)
    const kept: unknown = JSON.parse(readFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'utf8'))
    expect(kept).toEqual({ publicKey: 'known to all', privateKey: 'known to us' })
  })

  test('holds kept secrets only on request', () => {
    const { file, secret } = sources.get('pglite')!
    const texts = [file, secret.file].map((one) => gunzipSync(readFileSync(one)).toString())
    expect(texts.map((text) => text.includes('forty-eight'))).toEqual([false, true])
  })
})
