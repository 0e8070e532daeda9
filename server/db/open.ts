import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import { Client, type Pool, type PoolClient } from 'pg'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'
import { type ChangeTurns, changeTurns } from './change-turns'
import { type Changes, createChanges } from './changes'
import { openEmbedded } from './embedded'
import { migrate, requireSchema } from './migrate'
import { placeOf } from './place'
import { wasAnswered } from './out-of-reach'
import { SERVER_WAITS, reachServer, wayOut } from './reach'
import { ServerPool } from './server-pool'
import { findServer, hasStandbys, keepsSessions } from './servers'

export type Orm = NodePgDatabase
/** Runs queries: the database, or a transaction. Inside a transaction only the transaction must be used. */
export type Queryable = Pick<Orm, 'select' | 'insert' | 'update' | 'delete' | 'execute' | '$count'>

export interface Database {
  readonly orm: Orm
  readonly pool: Pool
  readonly engine: 'pglite' | 'postgres'
  /** Makes a connection beside the pool, for one that only listens; null: the embedded database has a single session. */
  readonly separateConnection: (() => Promise<Client>) | null
  /** Changes that this process has committed. */
  readonly changes: Changes
  readonly changeTurns: ChangeTurns
  /** Resolves when the database is lost for good, and the process had better end. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

interface OpenOptions {
  /** False: no fsync on the embedded database, for tests. */
  readonly durable?: boolean
  readonly logger?: FastifyBaseLogger | undefined
  /** True: only a database that is there, with the schema of this version; nothing is made or migrated. */
  readonly existing?: boolean
}

type DatabaseEnv = Pick<Env, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Env, 'DATABASE_POOL' | 'DATABASE_LISTEN_URL'>>

/**
 * Opens DATABASE_URL, or the embedded database in DATA_DIR, and brings its schema up to date.
 * @throws FolderInUseError when another server has DATA_DIR; Error where `existing` finds none, or the server cannot be used
 */
export async function openDatabase(
  env: DatabaseEnv,
  files: Pick<ProgramFiles, 'pgliteWorker' | 'migrations'>,
  { durable = true, logger, existing = false }: OpenOptions = {},
): Promise<Database> {
  if (existing) requireEmbedded(env)
  const warn = (message: string) => logger?.warn(message)
  const opened =
    env.DATABASE_URL === undefined
      ? {
          engine: 'pglite' as const,
          separateConnection: null,
          ...(await openEmbedded(env.DATA_DIR, files.pgliteWorker, { durable, warn })),
        }
      : { engine: 'postgres' as const, ...(await openServer(env.DATABASE_URL, env, { logger, existing })) }
  reportLostConnections(opened.pool, logger)
  try {
    if (existing) await inTransaction(opened.pool, (client) => requireSchema(client, files.migrations, placeOf(env)))
    else await bringUpToDate(opened.pool, files.migrations, logger)
  } catch (error) {
    await opened.close()
    const isForbidden = error instanceof Error && wasAnswered(error) && error.code === '42501'
    throw isForbidden ? new Error(`DATABASE_URL: ${wayOut(placeOf(env), error)}`, { cause: error }) : error
  }
  // The one session of the embedded database has its own line.
  const width = opened.engine === 'pglite' ? Infinity : Math.floor(opened.pool.options.max * CHANGING)
  const turns = changeTurns(width, CONNECTION_WAIT)
  return { ...opened, orm: drizzle(opened.pool), changes: createChanges(), changeTurns: turns }
}

async function bringUpToDate(pool: Pool, migrations: string, logger: FastifyBaseLogger | undefined): Promise<void> {
  const { newer } = await migrate((work) => inTransaction(pool, work), migrations)
  if (newer > 0)
    logger?.warn({ migrations: newer }, 'a newer version has brought the database up to date, and has only added to it')
}

/** @throws Error where the embedded database is meant, and DATA_DIR has none */
export function requireEmbedded({ DATABASE_URL, DATA_DIR }: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): void {
  if (DATABASE_URL === undefined && !existsSync(join(DATA_DIR, 'postgres')))
    throw new Error(`There is no database in ${DATA_DIR}.`)
}

/** Share of a process's connections, two at least, on which changes may wait for rows. */
const CHANGING = 0.6
/** Milliseconds for which a caller waits for a connection. */
const CONNECTION_WAIT = 10_000

/** Connections of a process, where DATABASE_POOL does not say otherwise. */
const CONNECTIONS = 10

async function openServer(
  url: string,
  { DATABASE_POOL: max = CONNECTIONS, DATABASE_LISTEN_URL: listenUrl = url }: DatabaseEnv,
  { logger, existing = false }: OpenOptions,
): Promise<Pick<Database, 'pool' | 'separateConnection' | 'failed' | 'close'>> {
  if (existing) await reachServer(url)
  else await reachServer(url, SERVER_WAITS.start, (sentence) => logger?.warn(sentence))
  const settings = {
    max,
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_WAIT,
    // JIT costs more than it gives on statements as short as ours. A pooler takes no such settings: the role has them there.
    ...(keepsSessions(url) && {
      options: '-c jit=off -c statement_timeout=30s -c lock_timeout=15s -c idle_in_transaction_session_timeout=30s',
    }),
  }
  const pool = new ServerPool(url, settings, logger)
  const separateConnection = async () =>
    new Client({
      connectionString: hasStandbys(listenUrl) ? await findServer(listenUrl) : listenUrl,
      application_name: 'streams',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    })
  return { pool, separateConnection, failed: new Promise(() => undefined), close: () => pool.end() }
}

/**
 * Logs each lost connection; the pool makes another at need. The caller learns by the query that fails. node-postgres emits
 * an error besides, which would end the process without a listener: the pool listens to idle connections only.
 */
function reportLostConnections(pool: Pool, logger: FastifyBaseLogger | undefined): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger?.warn({ err: error }, 'a connection to the database was lost'))
  })
  // An idle connection's error comes here too, and was logged above.
  pool.on('error', () => undefined)
}

/** Reads rows and their number as of one moment: two would let a page contradict the number beside it. */
export function atOneMoment<T>({ orm }: Database, read: (tx: Queryable) => Promise<T>): Promise<T> {
  return orm.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

/**
 * Runs `work` in a transaction on a connection of its own; inside, only that connection must be used. An error
 * undoes all of it.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Ends the connection, and with it the transaction, whatever state it is in.
    client.release(true)
    throw error
  }
}
