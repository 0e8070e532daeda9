import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../server/db/open'
import type { ProgramFiles } from '../../../server/program-files'
import { testCache, testProgramFiles } from './program-files'

/** Puts an embedded database that has all tables and nothing in them into an empty folder (a server's DATA_DIR). */
export async function fillFolder(folder: string, files: ProgramFiles = testProgramFiles()): Promise<void> {
  cpSync(await preparedFolder(files), folder, { recursive: true })
}

/** Making a database takes seconds, copying a made one does not. Kept until a migration or the worker changes. */
async function preparedFolder(files: ProgramFiles): Promise<string> {
  const hash = createHash('sha256').update(files.pgliteWorker.href)
  for (const name of readdirSync(files.migrations, { recursive: true }).map(String).toSorted()) {
    if (name.endsWith('.sql')) hash.update(readFileSync(join(files.migrations, name)))
  }
  const prepared = join(testCache, `postgres-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(prepared)) return prepared
  mkdirSync(testCache, { recursive: true })
  const making = mkdtempSync(join(testCache, 'making-'))
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: making }, files, { durable: false })
  await database.close()
  try {
    renameSync(making, prepared)
  } catch (error) {
    // A test file that ran beside this one was first.
    if (!existsSync(prepared)) throw error
    rmSync(making, { recursive: true })
  }
  return prepared
}
