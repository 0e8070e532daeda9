import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { FastifyBaseLogger } from 'fastify'
import { Pool } from 'pg'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'
import { openEmbedded } from './embedded'
import { migrate } from './migrate'
import { schema } from './schema/schema'

export type Orm = NodePgDatabase<typeof schema>
/** Runs queries: the database, or a transaction. Inside a transaction only the transaction must be used. */
export type Queryable = Pick<Orm, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

export interface Database {
  readonly orm: Orm
  readonly pool: Pool
  readonly engine: 'pglite' | 'postgres'
  /** Settles when the database is lost for good, and the process had better end. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

interface Options {
  /** False: no fsync on the embedded database, for tests. */
  readonly durable?: boolean
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Opens DATABASE_URL, or the embedded database in DATA_DIR, and brings its schema up to date.
 * @throws FolderInUseError when another server has DATA_DIR
 */
export async function openDatabase(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  files: Pick<ProgramFiles, 'pgliteWorker' | 'migrations'>,
  { durable = true, logger }: Options = {},
): Promise<Database> {
  const warn = (message: string) => logger?.warn(message)
  const opened =
    env.DATABASE_URL === undefined
      ? { engine: 'pglite' as const, ...(await openEmbedded(env.DATA_DIR, files.pgliteWorker, { durable, warn })) }
      : { engine: 'postgres' as const, ...openServer(env.DATABASE_URL) }
  reportLostConnections(opened.pool, logger)
  try {
    await migrate(opened.pool, files.migrations)
  } catch (error) {
    await opened.close()
    throw error
  }
  return { ...opened, orm: drizzle(opened.pool, { schema }) }
}

function openServer(url: string): { pool: Pool; failed: Promise<Error>; close: () => Promise<void> } {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    // JIT costs more than it gives on statements as short as ours.
    options: '-c jit=off -c statement_timeout=30s -c lock_timeout=15s -c idle_in_transaction_session_timeout=30s',
  })
  return { pool, failed: new Promise(() => undefined), close: () => pool.end() }
}

/**
 * Logs each connection that is lost (the database was restarted, or ended it); the pool makes another at need. The caller
 * learns of it by the query that fails. node-postgres emits an error besides, which would end the process without a
 * listener: the pool listens to idle connections only.
 */
function reportLostConnections(pool: Pool, logger: FastifyBaseLogger | undefined): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger?.warn({ err: error }, 'a connection to the database was lost'))
  })
  // An idle connection's error comes here too, and was logged above.
  pool.on('error', () => undefined)
}
