import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A positive finite double, or null. PostgreSQL orders NaN above Infinity, so one comparison refuses both. */
export const finite = (column: PgColumn): SQL => sql`${column} > 0 AND ${column} < 'Infinity'::float8`

/** The same with zero: a coin that nobody wants costs 0, and its ratio to any other is 0. */
export const finiteOrZero = (column: PgColumn): SQL => sql`${column} >= 0 AND ${column} < 'Infinity'::float8`
