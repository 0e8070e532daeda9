import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readLines } from '../../server/backups/backup-lines'
import { restoreBackup } from '../../server/backups/restore-backup'
import { openDatabase } from '../../server/db/open'
import { allRows } from '../server/support/awkward-rows'
import { databaseOnServer } from '../server/support/database-on-server'
import { testProgramFiles } from '../server/support/program-files'
import { runProgram, startServer } from '../server/support/server-process'
import { newGuest } from '../server/support/guest'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

/** Backups in all, half of each engine, each restored into both. */
const BACKUPS = Number(process.env['BACKUPS'] ?? 20)
/** Guests who change their boards without a pause. */
const GUESTS = 12
const COINS = ['bitcoin', 'ethereum', 'tether', 'solana', 'ripple', 'dogecoin', 'cardano']

const url = process.env['TEST_DATABASE_URL'] ?? ''
const files = testProgramFiles()
const root = mkdtempSync(join(tmpdir(), 'ratio-backups-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Adds and removes pairs until told to stop; every change moves the order of the board in one transaction. */
async function changeBoard(server: string, running: () => boolean, onAnswer: () => void): Promise<void> {
  const identity = { 'X-Anonymous-User-ID': newGuest() }
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server}/api/v1${path}`, {
      method,
      headers: {
        ...identity,
        'Idempotency-Key': crypto.randomUUID(),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    onAnswer()
    return answer.status === 204 ? null : ((await answer.json()) as { id: string })
  }
  const board: string[] = []
  for (let step = 0; running(); step++) {
    if (board.length < 5) {
      const coin_b_id = COINS[1 + (step % 6)]!
      const coin_a_id = COINS[(step + 3 + Math.floor(step / 6)) % 7]!
      if (coin_a_id === coin_b_id) continue
      const made = await ask('POST', '/widgets', { coin_a_id, coin_b_id }).catch(() => null)
      if (made === null || board.includes(made.id)) await clear(board.splice(0))
      else board.push(made.id)
    } else {
      await clear([board.shift()!])
    }
  }
  async function clear(ids: readonly string[]) {
    for (const id of ids) await ask('DELETE', `/widgets/${id}`)
  }
}

/** Rows that no moment of the server has: boards with holes, pairs without the key of their create. */
async function contradictions(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT owner_id::text AS odd FROM widgets GROUP BY owner_id
       HAVING min(display_order) <> 0 OR max(display_order) <> count(*) - 1 OR count(DISTINCT display_order) <> count(*)
     UNION ALL
     SELECT w.id::text FROM widgets w
       WHERE NOT EXISTS (SELECT FROM operations o WHERE o.owner_id = w.owner_id AND o.op_id = w.created_by_op)`,
  )
  return rows
}

async function restoredRows(place: { DATABASE_URL: string | undefined; DATA_DIR: string }, file: string) {
  await restoreBackup(place, files, file)
  const database = await openDatabase(place, files, { durable: false })
  try {
    expect(await contradictions(database.pool)).toEqual([])
    return await allRows(database.pool)
  } finally {
    await database.close()
  }
}

async function countRows(file: string): Promise<number> {
  let count = 0
  for await (const line of readLines(createReadStream(file).pipe(createGunzip()))) if ('row' in line) count++
  return count
}

async function backUpUnderLoad(name: string, storage: TestStorage, count: number): Promise<void> {
  const server = await startServer(storage.variables)
  let running = true
  let answers = 0
  const writers = Array.from({ length: GUESTS }, () =>
    changeBoard(
      server.url,
      () => running,
      () => answers++,
    ),
  )
  try {
    for (let n = 0; n < count; n++) {
      const file = join(root, `${name}-${n}.gz`)
      const before = answers
      expect(await runProgram('backup', storage.variables, [file])).toMatchObject({ code: 0 })
      const during = answers - before
      const embedded = await restoredRows({ DATABASE_URL: undefined, DATA_DIR: join(root, `${name}-${n}`) }, file)
      const target = await databaseOnServer(url)
      const onServer = await restoredRows({ DATABASE_URL: target.url, DATA_DIR: root }, file)
      await target.drop()
      expect(onServer).toEqual(embedded)
      const rows = Object.values(embedded).flat().length
      console.log(`${name} ${n + 1}: ${await countRows(file)} rows, ${during} requests answered meanwhile`)
      expect(await countRows(file)).toBe(rows - embedded['migrations']!.length)
      rmSync(file)
      rmSync(join(root, `${name}-${n}`), { recursive: true })
    }
  } finally {
    running = false
    await Promise.all(writers)
    await server.end('SIGTERM')
    await storage.remove()
  }
}

test.skipIf(url === '')('backups of a busy embedded server are restored into both engines with equal rows', () =>
  backUpUnderLoad('pglite', emptyFolder(), Math.ceil(BACKUPS / 2)),
)
test.skipIf(url === '')(
  'backups of a busy PostgreSQL server are restored into both engines with equal rows',
  async () => backUpUnderLoad('postgres', await emptyDatabase(url), Math.floor(BACKUPS / 2)),
)
