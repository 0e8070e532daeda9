import { type SQL, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import { Client, Pool, type PoolClient } from 'pg'
import type { Env } from '../env'
import type { ProgramFiles } from '../program-files'
import { type Changes, createChanges } from './changes'
import { openEmbedded } from './embedded'

export type Orm = NodePgDatabase
/** Runs queries: the database, or a transaction. Inside a transaction only the transaction must be used. */
export type Queryable = Pick<Orm, 'select' | 'insert' | 'update' | 'delete' | 'execute' | '$count'>

export interface Database {
  readonly orm: Orm
  readonly pool: Pool
  readonly engine: 'pglite' | 'postgres'
  /** Makes a connection beside the pool, for one that only listens; null: the embedded database has a single session. */
  readonly separateConnection: (() => Client) | null
  /** Changes that this process has committed. */
  readonly changes: Changes
  /** Resolves when the database is lost for good, and the process had better end. */
  readonly failed: Promise<Error>
  close(): Promise<void>
}

/**
 * Opens DATABASE_URL, or the embedded database in DATA_DIR, and brings its schema up to date.
 * @param options `durable` false: no fsync on the embedded database, for tests
 * @throws FolderInUseError when another server has DATA_DIR
 */
export async function openDatabase(
  env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>,
  files: Pick<ProgramFiles, 'pgliteWorker' | 'migrations'>,
  { durable = true, logger }: { readonly durable?: boolean; readonly logger?: FastifyBaseLogger | undefined } = {},
): Promise<Database> {
  const warn = (message: string) => logger?.warn(message)
  const opened =
    env.DATABASE_URL === undefined
      ? {
          engine: 'pglite' as const,
          separateConnection: null,
          ...(await openEmbedded(env.DATA_DIR, files.pgliteWorker, { durable, warn })),
        }
      : { engine: 'postgres' as const, ...openServer(env.DATABASE_URL) }
  reportLostConnections(opened.pool, logger)
  try {
    await migrate(opened.pool, files.migrations)
  } catch (error) {
    await opened.close()
    throw error
  }
  return { ...opened, orm: drizzle(opened.pool), changes: createChanges() }
}

function openServer(url: string): Pick<Database, 'pool' | 'separateConnection' | 'failed' | 'close'> {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    // JIT costs more than it gives on statements as short as ours.
    options: '-c jit=off -c statement_timeout=30s -c lock_timeout=15s -c idle_in_transaction_session_timeout=30s',
  })
  const separateConnection = () =>
    new Client({
      connectionString: url,
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

/** Any number that nothing else in the database uses as an advisory lock. */
const MIGRATION_LOCK = 7_204_815_330_112

/**
 * Applies the generated migrations that the database lacks, in one transaction; of several processes that start at
 * once, one does it and the others wait.
 * @throws Error when the database was made by a newer version of the program
 */
export const migrate = (pool: Pool, folder: string): Promise<void> =>
  inTransaction(pool, (client) => applyMigrations(client, folder))

/**
 * As `migrate`, in the caller's transaction.
 * @param only the times (`created_at`) of the migrations to apply; without it, all
 * @throws Error when `only` or the database names a migration that this version of the program does not have
 */
export async function applyMigrations(client: PoolClient, folder: string, only?: readonly number[]): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder: folder })
  await client.query(WITHOUT_TIME_LIMITS)
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query('CREATE TABLE IF NOT EXISTS migrations (created_at bigint PRIMARY KEY, hash text NOT NULL)')
  const applied = await appliedMigrations(client)
  if (!knowsMigrations(folder, [...applied, ...(only ?? [])])) {
    throw new Error('The database was made by another version of this program.')
  }
  for (const { folderMillis, hash, sql } of known) {
    if (applied.includes(folderMillis) || only?.includes(folderMillis) === false) continue
    for (const statement of sql) await client.query(statement)
    await client.query('INSERT INTO migrations (created_at, hash) VALUES ($1, $2)', [folderMillis, hash])
  }
}

/** True if this version of the program has every migration of these times (`created_at`). */
export function knowsMigrations(folder: string, times: readonly number[]): boolean {
  const known = readMigrationFiles({ migrationsFolder: folder })
  return times.every((time) => known.some(({ folderMillis }) => folderMillis === time))
}

/** The times (`created_at`) of the migrations that the database has, ascending. */
export async function appliedMigrations(client: PoolClient): Promise<number[]> {
  const { rows } = await client.query<{ created_at: string }>('SELECT created_at FROM migrations ORDER BY 1')
  return rows.map((row) => Number(row.created_at))
}

/**
 * For a transaction at the start of a process, which may wait for another process's migration or change a large table. The
 * limit on idle transactions stays: a process that hangs must not hold its locks for ever.
 */
export const WITHOUT_TIME_LIMITS = 'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0'

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

/** Rows that one statement removes: far below what a statement may take (30 seconds on PostgreSQL). */
const ROWS_PER_BATCH = 1000
/** Statements of one run; a job that finds more goes on at its next run. */
const MAX_BATCHES = 500

/**
 * Removes rows some at a time, each statement by itself: a backlog grows smaller with every run, however long it is. Rows
 * that another transaction holds are left for the next run.
 * @param bounds no further statement begins once `signal` is aborted
 * @returns how many were removed
 */
export async function removeInBatches(
  db: Queryable,
  table: PgTable,
  which: SQL | undefined,
  bounds: { readonly rows?: number; readonly batches?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  const { rows = ROWS_PER_BATCH, batches = MAX_BATCHES, signal } = bounds
  // As an array the rows are chosen once, and held; joined, PostgreSQL may choose anew for every row that it looks at.
  const some = sql`SELECT ${table}.ctid FROM ${table} WHERE ${which ?? sql`true`} LIMIT ${rows} FOR UPDATE SKIP LOCKED`
  let removed = 0
  for (let batch = 0; batch < batches; batch++) {
    if (signal?.aborted === true) break
    const { rowCount } = await db.execute(sql`DELETE FROM ${table} WHERE ${table}.ctid = ANY(ARRAY(${some}))`)
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < rows) break
  }
  return removed
}
