import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../../server/db/open'
import { retention_clock } from '../../../server/db/schema/jobs'
import type { ProgramFiles } from '../../../server/program-files'
import { databaseOnServer } from './database-on-server'
import { countStart } from '../../support/starts.mjs'
import { copyPrepared } from './prepared-folder'
import { testProgramFiles } from './program-files'

export interface TestDatabase extends Database {
  rows<T extends PgTable>(table: T, where?: SQL): Promise<T['$inferSelect'][]>
  /** Removes everybody's data; what the market stored stays. */
  reset(): Promise<void>
}

/** A database with all tables and no rows: embedded, or on the server that TEST_DATABASE_URL names. `close` gives it back. */
export const freshDatabase = (): Promise<TestDatabase> => testDatabase(emptiedEmbedded)

/** As `freshDatabase`, for a test that looks at its end, or at what is logged of it: `close` closes it for good. */
export const separateDatabase = (logger?: FastifyBaseLogger): Promise<TestDatabase> =>
  testDatabase(openEmbedded, logger)

async function testDatabase(
  embedded: (files: ProgramFiles, logger?: FastifyBaseLogger) => Promise<Database>,
  logger?: FastifyBaseLogger,
): Promise<TestDatabase> {
  const files = testProgramFiles()
  const url = process.env['TEST_DATABASE_URL']
  const database = await (url === undefined || url === '' ? embedded(files, logger) : freshOnServer(files, url, logger))
  // A migration notes the machine's time; tests have clocks of their own.
  await database.orm.delete(retention_clock)
  return asTestDatabase(database)
}

export const asTestDatabase = (database: Database): TestDatabase => ({
  ...database,
  rows: async (table: PgTable, where) => database.orm.select().from(table).where(where),
  reset: async () => {
    await database.orm.execute(sql`DELETE FROM owners`)
    await database.orm.execute(sql`DELETE FROM attempts`)
    await database.orm.execute(sql`DELETE FROM address_counts`)
    await database.orm.execute(sql`DELETE FROM mail_requests`)
  },
})

/**
 * Embedded databases of this worker that no test uses: open, and emptied. To open one takes a second of processor time, to
 * empty one a tenth of that; test files run one after the other in a worker and mostly need a single database.
 */
const idle: Database[] = []
let opened = 0

async function emptiedEmbedded(files: ProgramFiles): Promise<Database> {
  const database = idle.pop() ?? (await openEmbedded(files))
  let closed = false
  const close = async () => {
    if (closed) throw new Error('This database was closed before, and may be another test’s by now.')
    closed = true
    await empty(database)
    idle.push(database)
  }
  return { ...database, close }
}

async function openEmbedded(files: ProgramFiles, logger?: FastifyBaseLogger): Promise<Database> {
  const folder = mkdtempSync(join(inject('databaseFolder'), 'data-'))
  // A worker's first is uncounted: how many workers there are, the machine's cores say.
  if (opened > 0) countStart('database')
  opened += 1
  await copyPrepared(folder, files)
  return openDatabase({ DATABASE_URL: undefined, DATA_DIR: folder }, files, { durable: false, logger })
}

/**
 * Removes all rows, and starts every sequence again, as the migrations left them. TRUNCATE makes new files for a table and each of
 * its indexes, and for all tables that refer to it, a quarter of a second of processor time for all: so it is for tables
 * of more than eight pages alone, of which the planner would tell that they once were larger.
 */
async function empty({ pool }: Database): Promise<void> {
  await pool.query(
    `DO $$
     DECLARE place record;
     BEGIN
       -- Rows go in any order: no foreign key is checked, no trigger runs.
       SET LOCAL session_replication_role = replica;
       FOR place IN
         SELECT oid::regclass AS name, pg_relation_size(oid) > 8 * 8192 AS is_large FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations' AND pg_relation_size(oid) > 0
       LOOP
         EXECUTE format(CASE WHEN place.is_large THEN 'TRUNCATE %s CASCADE' ELSE 'DELETE FROM %s' END, place.name);
       END LOOP;
       PERFORM setval(oid::regclass, 1, false) FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'S';
     END $$`,
  )
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
