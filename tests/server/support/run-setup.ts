import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../server/db/open'
import { databaseOnServer } from './database-on-server'
import { prepareFolders } from './prepared-folder'
import { testProgramFiles } from './program-files'

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds the embedded databases of a run; removed at its end, as workers end with their databases open. */
    databaseFolder: string
    /** A database on the server of TEST_DATABASE_URL that has all tables and no rows; null: the embedded database is used. */
    templateDatabase: string | null
  }
}

/**
 * Vitest's global setup. Makes the embedded databases that tests copy, and migrates one on the server that TEST_DATABASE_URL
 * names, for test files to copy (`CREATE DATABASE … TEMPLATE` takes a tenth of the time of the migrations).
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareFolders()
  const folder = mkdtempSync(join(tmpdir(), 'ratio-run-'))
  project.provide('databaseFolder', folder)
  const server = process.env['TEST_DATABASE_URL']
  const template = server === undefined || server === '' ? null : await templateOn(server)
  project.provide('templateDatabase', template?.name ?? null)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await template?.drop()
  }
}

async function templateOn(server: string) {
  const template = await databaseOnServer(server)
  const database = await openDatabase({ DATABASE_URL: template.url, DATA_DIR: '' }, testProgramFiles())
  await database.close()
  return template
}
