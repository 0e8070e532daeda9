import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Gauge, type Registry } from 'prom-client'
import * as z from 'zod'
import type { Database, Queryable } from '../db/open'
import type { Env } from '../env'
import { readFigure } from './read-figure'
import type { ServiceDeps } from './service-deps'

/** Bytes of the database and of its write-ahead log; null: the database user may not see the log. */
export async function storageFigures(
  db: Queryable,
): Promise<{ readonly database: number; readonly log: number | null }> {
  const { rows } = await db.execute<{ bytes: string; may_see_log: boolean }>(sql`
    SELECT pg_database_size(current_database()) AS bytes, has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS may_see_log`)
  const { bytes, may_see_log } = rows[0]!
  if (!may_see_log) return { database: Number(bytes), log: null }
  const log = await db.execute<{ bytes: string }>(sql`SELECT coalesce(sum(size), 0) AS bytes FROM pg_ls_waldir()`)
  return { database: Number(bytes), log: Number(log.rows[0]!.bytes) }
}

/**
 * Bytes of the file system that holds `folder`, `free` as far as this process's user may use them; null: there is no such
 * folder, as where all is kept in PostgreSQL.
 */
export async function diskFigures(folder: string): Promise<{ readonly size: number; readonly free: number } | null> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder)
    return { size: blocks * bsize, free: bavail * bsize }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const note = z.object({ finished_at: z.iso.datetime(), file: z.string(), bytes: z.number() })
export type BackupNote = z.infer<typeof note>

/**
 * When the last backup was complete, as the program that wrote it noted in DATA_DIR/backup.json. Milliseconds since 1970;
 * null: none is known of.
 */
export function lastBackupAt(dataDir: string): number | null {
  try {
    const read = note.safeParse(JSON.parse(readFileSync(join(dataDir, 'backup.json'), 'utf8')))
    return read.success ? Date.parse(read.data.finished_at) : null
  } catch (error) {
    // A note that was cut off by a crash is none.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function storageMetrics(
  registry: Registry,
  { orm }: Pick<Database, 'orm'>,
  { DATA_DIR }: Pick<Env, 'DATA_DIR'>,
  logger?: ServiceDeps['logger'],
): void {
  const bytes = new Gauge({
    name: 'storage_bytes',
    help: 'Sizes of the database and its log, and of the disk that holds DATA_DIR',
    labelNames: ['of'],
    registers: [registry],
    collect: async () => {
      const [storage, disk] = await Promise.all([
        readFigure('storage_bytes', storageFigures(orm), logger),
        readFigure('storage_bytes', diskFigures(DATA_DIR), logger),
      ])
      bytes.set({ of: 'database' }, storage?.database ?? NaN)
      bytes.set({ of: 'log' }, storage?.log ?? NaN)
      bytes.set({ of: 'disk' }, disk?.size ?? NaN)
      bytes.set({ of: 'disk_free' }, disk?.free ?? NaN)
    },
  })
  const backup = new Gauge({
    name: 'backup_last_finished_timestamp_seconds',
    help: 'When the last backup was complete; NaN: none is known of',
    registers: [registry],
    collect: () => {
      const at = lastBackupAt(DATA_DIR)
      backup.set(at === null ? NaN : at / 1000)
    },
  })
}
