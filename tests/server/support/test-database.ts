import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { Client } from 'pg'
import { type Database, openDatabase } from '../../../server/db/open'
import type { ProgramFiles } from '../../../server/program-files'
import { fillFolder } from './prepared-folder'
import { testProgramFiles } from './program-files'

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
      await database.orm.execute(sql`DELETE FROM attempts`)
      await database.orm.execute(sql`DELETE FROM mail_requests`)
    },
  }
}

async function freshEmbedded(files: ProgramFiles, logger?: FastifyBaseLogger): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-test-'))
  await fillFolder(folder, files)
  const database = await openDatabase({ DATABASE_URL: undefined, DATA_DIR: folder }, files, { durable: false, logger })
  const close = async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...database, close }
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
