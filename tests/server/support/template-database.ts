import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../server/db/open'
import { databaseOnServer } from './database-on-server'
import { testProgramFiles } from './program-files'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database on the server of TEST_DATABASE_URL that has all tables and no rows; null: the embedded database is used. */
    templateDatabase: string | null
  }
}

/**
 * Vitest's global setup: migrates one database on the server that TEST_DATABASE_URL names, for test files to copy
 * (`CREATE DATABASE … TEMPLATE` takes a tenth of the time of the migrations), and drops it at the end of the run.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined || server === '') {
    project.provide('templateDatabase', null)
    return undefined
  }
  const { name, url, drop } = await databaseOnServer(server)
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: '' }, testProgramFiles())
  await database.close()
  project.provide('templateDatabase', name)
  return drop
}
