import { type SQL, sql } from 'drizzle-orm'
import { COUNTED_TO } from '../../src/domain/counted-to'

/** A number of rows that is not counted further than `most`. @param rows from FROM on */
export const upTo = (most: number, rows: SQL): SQL =>
  sql`(SELECT count(*)::int FROM (SELECT ${rows} LIMIT ${most}) counted)`

/**
 * A number of rows: counted up to `COUNTED_TO.all`; of more, as the database last estimated those of `relation`, a table or an index
 * of just these rows. Of many nothing is read but the catalogue.
 * @param rows from FROM on
 */
export const aboutHowMany = (relation: string, rows: SQL): SQL => sql`(
  SELECT CASE WHEN reltuples >= ${2 * COUNTED_TO.all} THEN reltuples::float8 ELSE (
    SELECT CASE WHEN n < ${COUNTED_TO.all} THEN n ELSE greatest(n, reltuples::float8) END
    FROM (SELECT ${upTo(COUNTED_TO.all, rows)} AS n) counted
  ) END FROM pg_class WHERE oid = ${relation}::regclass)`
