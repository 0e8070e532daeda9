import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, type PgColumn, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A point in time, to the millisecond. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** Refers to a row whose removal removes this one too. */
export const belongsTo = (id: () => AnyPgColumn) => uuid().notNull().references(id, { onDelete: 'cascade' })

/** A positive finite double, or null. PostgreSQL orders NaN above Infinity, so one comparison refuses both. */
export const finite = (column: PgColumn): SQL => sql`${column} > 0 AND ${column} < 'Infinity'::float8`

/** The same with zero: a coin that nobody wants costs 0, and its ratio to any other is 0. */
export const finiteOrZero = (column: PgColumn): SQL => sql`${column} >= 0 AND ${column} < 'Infinity'::float8`
