import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../../server/db/open'
import type { ProgramFiles } from '../../../server/program-files'
import { databaseOnServer } from './database-on-server'
import { fillFolder } from './prepared-folder'
import { testProgramFiles } from './program-files'

export interface TestDatabase extends Database {
  /** Removes everybody's data; what the market stored stays. */
  reset(): Promise<void>
}

/** A database with all tables and no rows: embedded, or on the server that TEST_DATABASE_URL names. `close` gives it back. */
export async function freshDatabase(logger?: FastifyBaseLogger): Promise<TestDatabase> {
  const files = testProgramFiles()
  const url = process.env['TEST_DATABASE_URL']
  const database = await (url === undefined || url === ''
    ? freshEmbedded(files, logger)
    : freshOnServer(files, url, logger))
  return {
    ...database,
    reset: async () => {
      await database.orm.execute(sql`DELETE FROM owners`)
      await database.orm.execute(sql`DELETE FROM attempts`)
      await database.orm.execute(sql`DELETE FROM mail_requests`)
    },
  }
}

/**
 * Embedded databases of this worker that no test uses: open, and emptied. To open one takes a second of processor time, to
 * empty one a fiftieth of that; test files run one after the other in a worker and mostly need a single database.
 */
const idle: Database[] = []

async function freshEmbedded(files: ProgramFiles, logger?: FastifyBaseLogger): Promise<Database> {
  // A logger belongs to a database from its opening to its end, so such a database serves no second test.
  if (logger !== undefined) return openEmbedded(files, logger)
  const database = idle.pop() ?? (await openEmbedded(files))
  const close = async () => {
    await empty(database)
    idle.push(database)
  }
  return { ...database, close }
}

async function openEmbedded(files: ProgramFiles, logger?: FastifyBaseLogger): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-test-'))
  await fillFolder(folder, files)
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: folder }, files, { durable: false, logger })
  // The worker process ends with its databases open; nothing in them is worth keeping.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const close = async () => {
    await database.close()
    process.off('exit', removeFolder)
    removeFolder()
  }
  return { ...database, close }
}

/** Removes all rows, and starts every sequence again, as the migrations left them. */
async function empty({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ tables: string }>(
    `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables
     WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  )
  await pool.query(`TRUNCATE ${rows[0]!.tables} RESTART IDENTITY CASCADE`)
}

async function freshOnServer(files: ProgramFiles, server: string, logger?: FastifyBaseLogger): Promise<Database> {
  const { url, drop } = await databaseOnServer(server, inject('templateDatabase'))
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: '' }, files, { logger })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}
