import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../server/db/open'
import type { ProgramFiles } from '../../../server/program-files'
import { countStart } from '../../support/starts.mjs'
import { finish, hashOfFolder, testCache, testProgramFiles } from './program-files'

/** Puts an embedded database that has all tables and nothing in them into an empty folder (a server's DATA_DIR). */
export async function fillFolder(folder: string, files: ProgramFiles = testProgramFiles()): Promise<void> {
  countStart('database')
  await copyPrepared(folder, files)
}

/** As `fillFolder`, uncounted. */
export async function copyPrepared(folder: string, files: ProgramFiles): Promise<void> {
  cpSync(await preparedFolder(files), folder, { recursive: true })
}

/** Making a database takes seconds, copying a made one does not. Kept until a migration or the worker changes. */
async function preparedFolder(files: ProgramFiles): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(files.pgliteWorker)).update(hashOfFolder(files.migrations))
  const prepared = join(testCache, `postgres-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(prepared)) return prepared
  mkdirSync(testCache, { recursive: true })
  const making = mkdtempSync(join(testCache, 'making-'))
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: making }, files, { durable: false })
  await database.close()
  finish(making, prepared)
  return prepared
}
