import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR } from '../../src/domain/granularity'
import { backupJobs } from '../../server/backups/scheduled-backups'
import { loadEnv } from '../../server/env'
import { testProgramFiles } from './support/program-files'
import { temporaryFolder } from './support/for-file'

/* The schedule's job, which starts the backup program; the program beside a running server is in process.test.ts. */

const root = temporaryFolder()

test('a schedule starts the backup program when the newest is too old, keeps as many as it says once its clock is believed, and leaves other files alone', async () => {
  const DATA_DIR = join(root, 'data')
  const backup = join(root, 'program.mjs')
  writeFileSync(backup, `import fs from 'node:fs'; fs.writeFileSync(process.argv[2], process.env.DATA_DIR)`)
  const folder = join(root, 'kept')
  const env = loadEnv({ DATA_DIR, BACKUP_SCHEDULE: `${folder},24h,2` })
  let mayRemove = false
  let now = Date.UTC(2026, 10, 22, 3, 0, 5)
  const [job] = backupJobs({ env, files: { backup }, clock: () => now, mayRemove: async () => mayRemove })
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
  // While the clock is doubted, none is the oldest for sure.
  expect(await run(24 * HOUR)).toEqual(['notes.txt', first, second, third, ahead])
  mayRemove = true
  const fourth = 'ratio-tracker-20261125T030005Z.backup.gz'
  expect(await run(24 * HOUR)).toEqual(['notes.txt', third, fourth, ahead])
  expect(readFileSync(join(folder, third), 'utf8')).toBe(DATA_DIR)
})

test('a scheduled backup that cannot be written fails its job with the reason, and keeps the older ones', async () => {
  const DATA_DIR = join(root, 'no-database')
  const folder = join(root, 'older')
  const env = loadEnv({ DATA_DIR, BACKUP_SCHEDULE: `${folder},1h,1` })
  const deps = { clock: () => Date.UTC(2026, 10, 22), mayRemove: async () => true }
  const [job] = backupJobs({ env, files: testProgramFiles(), ...deps })
  const run = () => job!.run(new AbortController().signal)
  await expect(run()).rejects.toThrow(`The backup was not written: There is no database in ${DATA_DIR}.`)
  const old = 'ratio-tracker-20261121T000000Z.backup.gz'
  writeFileSync(join(folder, old), '')
  await expect(run()).rejects.toThrow('no database')
  expect(readdirSync(folder)).toEqual([old])
})
