import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbedded } from '../../../server/db/embedded'
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
  cpSync(await withTables(files), folder, { recursive: true })
}

/** The files for tests that are not about making a database: their thread copies one without tables instead. */
export async function filesWithMadeDatabase(): Promise<ProgramFiles> {
  const files = testProgramFiles()
  const made = join(await withoutTables(files), 'postgres')
  const load = `
    import { cpSync, existsSync } from 'node:fs'
    import { workerData } from 'node:worker_threads'
    if (!existsSync(workerData.folder)) cpSync(${JSON.stringify(made)}, workerData.folder, { recursive: true })
    await import(${JSON.stringify(files.pgliteWorker.href)})`
  return { ...files, pgliteWorker: new URL(`data:text/javascript,${encodeURIComponent(load)}`) }
}

/** Makes what the tests of a run copy, unless it is there: once, before workers side by side want it. */
export async function prepareFolders(): Promise<void> {
  await withTables(testProgramFiles())
}

const withTables = (files: ProgramFiles): Promise<string> =>
  prepared('postgres', [hashOfFolder(files.migrations)], files, async (making) =>
    openDatabase({ DATABASE_URL: undefined, DATA_DIR: making }, await filesWithMadeDatabase(), { durable: false }),
  )

const withoutTables = (files: ProgramFiles): Promise<string> =>
  prepared('empty', [], files, (making) => openEmbedded(making, files.pgliteWorker, { durable: false }))

/** Making a database takes seconds, copying a made one does not. Kept until what it is made of changes. */
async function prepared(
  name: string,
  madeOf: readonly string[],
  { pgliteWorker }: ProgramFiles,
  open: (folder: string) => Promise<{ close(): Promise<void> }>,
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(pgliteWorker)).update(madeOf.join(' '))
  const folder = join(testCache, `${name}-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(folder)) return folder
  mkdirSync(testCache, { recursive: true })
  const making = mkdtempSync(join(testCache, 'making-'))
  await (await open(making)).close()
  finish(making, folder)
  return folder
}
