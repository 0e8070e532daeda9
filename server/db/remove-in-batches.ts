import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Queryable } from './open'

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
