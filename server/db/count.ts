import { type SQL, sql } from 'drizzle-orm'

/** A number of rows that is not counted further than `most`. @param rows from FROM on */
export const upTo = (most: number, rows: SQL): SQL =>
  sql`(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${most}) counted)`
