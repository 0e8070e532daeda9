import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { backupJobs } from '../../server/backups/scheduled-backups'
import { openDatabase } from '../../server/db/open'
import { loadEnv } from '../../server/env'
import { fillFolder } from './support/prepared-folder'
import { testProgramFiles } from './support/program-files'
import { runProgram, startServer } from './support/server-process'
import { newGuest } from './support/test-app'

/** Processes are started and databases made, seconds of processor time each: the limit ends what hangs. Milliseconds. */
vi.setConfig({ testTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'ratio-backup-process-'))
afterAll(() => {
  vi.resetConfig()
  rmSync(root, { recursive: true, force: true })
})

async function dataDir(): Promise<string> {
  const folder = mkdtempSync(join(root, 'data-'))
  await fillFolder(folder)
  return folder
}

test('npm run backup beside a running server, npm run restore elsewhere: a server there has the guest’s pair', async () => {
  const DATA_DIR = await dataDir()
  const server = await startServer({ DATA_DIR })
  const headers = { 'X-Anonymous-User-ID': newGuest(), 'Content-Type': 'application/json' }
  const made = await fetch(`${server.url}/api/v1/widgets`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }),
  })
  expect(made.status).toBe(201)
  const file = join(root, 'one.gz')
  const written = await runProgram('backup', { DATA_DIR }, [file])
  expect(written).toEqual({
    code: 0,
    output: expect.stringMatching(/^Backup written to .*one\.gz: \d+ rows of \d+ tables, \d+\.\d MB\.\n$/),
  })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  await server.end('SIGTERM')

  const elsewhere = join(root, 'elsewhere')
  expect(await runProgram('restore', { DATA_DIR: elsewhere }, [file])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Restored \d+ rows/),
  })
  const restored = await startServer({ DATA_DIR: elsewhere })
  const widgets = (await (await fetch(`${restored.url}/api/v1/widgets`, { headers })).json()) as unknown[]
  await restored.end('SIGKILL')
  expect(widgets).toEqual([await made.json()])
})

test('backup and restore print their usage, and why they refuse, with exit code 1', async () => {
  const DATA_DIR = await dataDir()
  expect(await runProgram('backup', { DATA_DIR }, [])).toEqual({
    code: 1,
    output: 'Usage: npm run backup -- [--with-secrets] <file>\n',
  })
  expect(await runProgram('backup', { DATA_DIR }, ['--fast', 'x'])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Usage/),
  })
  expect(await runProgram('restore', { DATA_DIR }, [])).toEqual({
    code: 1,
    output: 'Usage: npm run restore -- <file>\n',
  })
  const none = join(root, 'none')
  expect(await runProgram('backup', { DATA_DIR: none }, [join(root, 'x.gz')])).toEqual({
    code: 1,
    output: `There is no database in ${none}.\n`,
  })
  expect(existsSync(join(root, 'x.gz'))).toBe(false)
  expect(await runProgram('restore', { DATA_DIR }, [join(root, 'x.gz')])).toMatchObject({
    code: 1,
    output: expect.stringContaining('no such file'),
  })
})

test('a schedule writes a backup when the newest is too old, keeps as many as it says, and leaves other files alone', async () => {
  const DATA_DIR = await dataDir()
  const files = testProgramFiles()
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR }, files, { durable: false })
  const folder = join(root, 'kept')
  const env = loadEnv({ DATA_DIR, BACKUP_SCHEDULE: `${folder},24h,2` })
  let now = Date.UTC(2026, 10, 22, 3, 0, 5)
  const [job] = backupJobs({ env, files, clock: () => now })
  const run = async (later: number) => {
    now += later
    await job!.run(new AbortController().signal)
    return readdirSync(folder).toSorted()
  }
  const first = 'ratio-tracker-20261122T030005Z.backup.gz'
  expect(await run(0)).toEqual([first])
  expect(await run(23 * HOUR)).toEqual([first])
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  writeFileSync(join(folder, `${first}.1.part`), 'killed')
  const second = 'ratio-tracker-20261123T030005Z.backup.gz'
  const third = 'ratio-tracker-20261124T030005Z.backup.gz'
  // Named while the clock was wrong: it puts nothing off.
  const ahead = 'ratio-tracker-20990101T000000Z.backup.gz'
  writeFileSync(join(folder, ahead), '')
  expect(await run(HOUR)).toEqual(['notes.txt', first, second, ahead])
  expect(await run(24 * HOUR)).toEqual(['notes.txt', second, third, ahead])
  expect(statSync(join(folder, third)).size).toBeGreaterThan(500)
  await database.close()
})

test('a scheduled backup that cannot be written fails its job with the reason, and keeps the older ones', async () => {
  const DATA_DIR = join(root, 'no-database')
  const folder = join(root, 'older')
  const files = testProgramFiles()
  const env = loadEnv({ DATA_DIR, BACKUP_SCHEDULE: `${folder},1h,1` })
  const [job] = backupJobs({ env, files, clock: () => Date.UTC(2026, 10, 22) })
  const run = () => job!.run(new AbortController().signal)
  await expect(run()).rejects.toThrow(`The backup was not written: There is no database in ${DATA_DIR}.`)
  const old = 'ratio-tracker-20261121T000000Z.backup.gz'
  writeFileSync(join(folder, old), '')
  await expect(run()).rejects.toThrow('no database')
  expect(readdirSync(folder)).toEqual([old])
})
