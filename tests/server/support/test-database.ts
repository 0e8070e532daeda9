import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { Client } from 'pg'
import { type Database, openDatabase } from '../../../server/db/open'
import type { ProgramFiles } from '../../../server/program-files'
import { testCache, testProgramFiles } from './program-files'

export interface TestDatabase extends Database {
  /** Removes everybody's data; what the market stored stays. */
  reset(): Promise<void>
}

/** A fresh database: embedded, or on the server that TEST_DATABASE_URL names. `close` removes it. */
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
    },
  }
}

async function freshEmbedded(files: ProgramFiles, logger?: FastifyBaseLogger): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-test-'))
  cpSync(await preparedFolder(files), folder, { recursive: true })
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: folder }, files, { durable: false, logger })
  const close = async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...database, close }
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

async function freshOnServer(files: ProgramFiles, server: string, logger?: FastifyBaseLogger): Promise<Database> {
  const { url, drop } = await databaseOnServer(server)
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: '' }, files, { logger })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

/** Makes an empty database beside the one that `server` names. */
export async function databaseOnServer(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
