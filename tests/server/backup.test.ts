import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type BackupEnd, DamagedBackupError } from '../../server/backups/backup-lines'
import { restoreBackup } from '../../server/backups/restore-backup'
import { packSecrets } from '../../server/backups/restored-secrets'
import { writeBackup } from '../../server/backups/write-backup'
import { lockFolder } from '../../server/db/folder-lock'
import { MIGRATION_LOCK } from '../../server/db/migrate'
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
  const results = await Promise.allSettled(tried.map((file) => writeBackup(place, files, file)))
  const told = results.map((result) => (result.status === 'fulfilled' ? 'written' : (result.reason as Error).message))
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('DELETE FROM widgets')
  const secret = newFile()
  const { end } = await writeBackup(place, files, secret, { withSecrets: true })
  await client.query('COMMIT')
  client.release()
  const widgetsLeft = (await pool.query('SELECT FROM widgets')).rowCount ?? 0
  const file = tried[told.indexOf('written')]!
  return { place, rows, told, file, secret: { file: secret, end }, widgetsLeft }
}

vi.setConfig({ testTimeout: LIMIT })

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
    expect(secret.end.rows).toMatchObject({ widgets: 3, alert_rules: 9, alert_channels: 1, market_points: 10_000 })
    const target = await emptyPlace(to)
    writeFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'a pair that browsers have subscribed with already')
    expect(await restoreBackup(target, files, secret.file, true)).toEqual({
      end: secret.end,
      secrets: { restored: ['jwt-secret'], kept: ['vapid-keys.json'], left: [] },
    })
    expect(readdirSync(target.DATA_DIR)).not.toContain('restore')
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
    await expect.poll(() => readdirSync(place.DATA_DIR).filter((name) => name.startsWith('snapshot'))).toEqual([])
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
    await expect(writeBackup(place, files, file)).rejects.toThrow('exists already')
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

  /** The backup with some of its lines changed, and a checksum and numbers of rows that fit. */
  const signed = (
    text: string,
    change: (lines: string[]) => string[],
    count: (rows: Record<string, number>) => void,
  ) => {
    const lines = text.split('\n').slice(0, -1)
    const [, end] = JSON.parse(lines.pop() ?? '') as ['end', BackupEnd]
    const body = `${change(lines).join('\n')}\n`
    const rows = { ...end.rows }
    count(rows)
    const sha256 = createHash('sha256').update(body).digest('hex')
    return `${body}${JSON.stringify(['end', { rows, sha256 }])}\n`
  }
  const beforeFirstTable = (line: string) => (lines: string[]) => {
    const at = lines.findIndex((each) => each.startsWith('["table"'))
    return lines.toSpliced(at, 0, line)
  }
  const inserted =
    (line: string, rows: Record<string, number> = {}) =>
    (text: string) =>
      signed(text, beforeFirstTable(line), (counted) => {
        const others = { ...counted }
        for (const name of Object.keys(counted)) delete counted[name]
        Object.assign(counted, rows, others)
      })
  const asTable = (name: string, columns: string[]) => JSON.stringify(['table', { name, columns }])

  test.each([
    ['whose table’s name is a statement', inserted(asTable('pairs" DEFAULT VALUES; DROP TABLE "users', ['id']))],
    ['whose column’s name is a statement', inserted(asTable('pairs', ['id") SELECT 1; DROP TABLE users; --']))],
    ['with a table that we do not have', inserted(asTable('pg_authid', ['rolname']), { pg_authid: 0 })],
    ['with a column that we do not have', inserted(asTable('jobs_', ['name']), { jobs_: 0 })],
    ['with a secret that is none of ours', inserted(JSON.stringify(['file', { name: 'authorized', text: 'a' }]))],
    ['with a secret out of the folder', inserted(JSON.stringify(['file', { name: '../jwt-secret', text: 'a' }]))],
    [
      'with a secret of five thousand characters',
      inserted(JSON.stringify(['file', { name: 'jwt-secret', text: 'a'.repeat(5000) }])),
    ],
    ['with a line of two million characters', inserted(`{"id":"${'a'.repeat(2_000_000)}"}`)],
    ['with a field that we do not know', (text: string) => text.replace('"version":1', '"version":1,"run":"ls"')],
    ['of a format to come', (text: string) => text.replace('"version":1', '"version":2')],
  ])('%s is refused although its checksum fits, and nothing of it runs or stays', async (_, change) => {
    expect(await restoreChanged(change)).toBeInstanceOf(DamagedBackupError)
  })

  test('whose rows unpack to a thousand times the file is refused before they fill anything', async () => {
    const bomb = newFile()
    const head = gunzipSync(readFileSync(file)).toString().split('\n').slice(0, 1)
    const rows = `${JSON.stringify({ id: 'a'.repeat(500) })}\n`.repeat(200_000)
    writeFileSync(bomb, gzipSync(`${head.join('\n')}\n${asTable('pairs', ['id'])}\n${rows}`))
    expect(String(await restoreInto(bomb))).toContain('packed too densely')
  })

  test('is refused, with the folder as it was, after any of 60 changes of a byte or cuts', async () => {
    const whole = readFileSync(file)
    for (let i = 0; i < 60; i++) {
      const at = Math.floor((whole.length * (i + 0.5)) / 60)
      const changed = newFile()
      const bytes = i % 2 === 0 ? whole.subarray(0, at) : Buffer.from(whole)
      // Of a gzip file's own head and end some bits mean nothing to us.
      if (i % 2 === 1) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
      writeFileSync(changed, bytes)
      expect(await restoreInto(changed)).toBeInstanceOf(DamagedBackupError)
    }
  })

  test('plants no secret without the flag, and says which it holds', async () => {
    const target = await emptyPlace('pglite')
    const { secrets } = await restoreBackup(target, files, sources.get('pglite')!.secret.file)
    expect(secrets).toEqual({ restored: [], kept: [], left: ['jwt-secret', 'vapid-keys.json'] })
    expect(readdirSync(target.DATA_DIR).toSorted()).toEqual(['postgres', 'ratio-tracker'])
  })

  test('brings its secrets with the one rename: after a kill behind it, the next to open the folder puts them in place', async () => {
    const target = await emptyPlace('pglite')
    await restoreBackup(target, files, file)
    packSecrets(target.DATA_DIR, [{ name: 'jwt-secret', text: 'of the backup' }])
    await (await openDatabase(target, files, { durable: false })).close()
    expect(readFileSync(join(target.DATA_DIR, 'jwt-secret'), 'utf8')).toBe('of the backup')
    expect(existsSync(join(target.DATA_DIR, 'postgres/restored-secrets'))).toBe(false)
  })

  test('is not restored into a folder that another process holds, or that holds something else, which stays as it is', async () => {
    const target = await emptyPlace('pglite')
    const release = await lockFolder(target.DATA_DIR)
    await expect(restoreBackup(target, files, file)).rejects.toThrow('is in use')
    await expect(openDatabase(target, files)).rejects.toThrow('is in use')
    await release()
    writeFileSync(join(target.DATA_DIR, 'thesis.txt'), 'mine', { mode: 0o644 })
    await expect(restoreBackup(target, files, file)).rejects.toThrow('holds something else')
    expect(readdirSync(target.DATA_DIR)).toEqual(['thesis.txt'])
  })

  test.each(engines)('of an empty %s database is not written, unless it is asked for', async (engine) => {
    const place = await emptyPlace(engine)
    await (await openDatabase(place, files, { durable: false })).close()
    const never = newFile()
    await expect(writeBackup(place, files, never)).rejects.toThrow('is empty: it holds no user and no guest.')
    expect(existsSync(never)).toBe(false)
    expect((await writeBackup(place, files, never, { allowEmpty: true })).end.rows['owners']).toBe(0)
  })

  test.skipIf(onServer === '')(
    'of PostgreSQL waits for a migration under way, whose tables it would find empty',
    async () => {
      const { place, rows } = sources.get('postgres')!
      const migrating = new Pool({ connectionString: place.DATABASE_URL, max: 1 })
      const client = await migrating.connect()
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      const file = newFile()
      const written = writeBackup(place, files, file)
      const isWaiting = async () =>
        (await client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount
      await expect.poll(isWaiting).toBe(1)
      // Rewrites the table.
      await client.query('ALTER TABLE pairs ALTER COLUMN coin_a_id TYPE varchar(300)')
      await client.query('ALTER TABLE pairs ALTER COLUMN coin_a_id TYPE text')
      await client.query('COMMIT')
      client.release()
      await migrating.end()
      expect((await written).end.rows['pairs']).toBe(rows['pairs']?.length)
    },
  )

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
    await expect(writeBackup(place, files, never)).rejects.toThrow(`There is no database in ${place.DATA_DIR}.`)
    expect(existsSync(never)).toBe(false)
    for (const none of [never, root])
      await expect(restoreBackup(place, files, none)).rejects.toThrow(`${none} is no file.`)
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
    await restoreBackup(target, files, secret.file, true)
    const kept: unknown = JSON.parse(readFileSync(join(target.DATA_DIR, 'vapid-keys.json'), 'utf8'))
    expect(kept).toEqual({ publicKey: 'known to all', privateKey: 'known to us' })
  })

  test('holds kept secrets only on request', () => {
    const { file, secret } = sources.get('pglite')!
    const texts = [file, secret.file].map((one) => gunzipSync(readFileSync(one)).toString())
    expect(texts.map((text) => text.includes('forty-eight'))).toEqual([false, true])
  })
})
