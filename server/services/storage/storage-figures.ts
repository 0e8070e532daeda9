import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/open'

/** In bytes. */
export interface StorageFigures {
  readonly database: number
  /** The write-ahead log; null: the database user may not see it. */
  readonly log: number | null
}

/** In bytes. */
export interface DiskFigures {
  readonly size: number
  /** As far as this process's user may use it. */
  readonly free: number
}

export async function storageFigures(db: Queryable): Promise<StorageFigures> {
  const { rows } = await db.execute<{ bytes: string; may_see_log: boolean }>(sql`
    SELECT pg_database_size(current_database()) AS bytes, has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS may_see_log`)
  return { database: Number(rows[0]!.bytes), log: rows[0]!.may_see_log ? await logSize(db) : null }
}

async function logSize(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ bytes: string }>(sql`SELECT coalesce(sum(size), 0) AS bytes FROM pg_ls_waldir()`)
  return Number(rows[0]!.bytes)
}

/** The file system that holds `folder`; null: there is no such folder, as where all is kept in PostgreSQL. */
export async function diskFigures(folder: string): Promise<DiskFigures | null> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder)
    return { size: blocks * bsize, free: bavail * bsize }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
