import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, foreignKey, type PgColumn, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A point in time, to the millisecond. */
export const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** Refers to a row whose removal removes this one too. */
export const belongsTo = (id: () => AnyPgColumn) => uuid().notNull().references(id, { onDelete: 'cascade' })

/*
 * Rows of an owner carry the owner in every key, so that a database that is sharded by owner holds them
 * together (docs/running/scaling.md). The id comes first: alone it finds the row, too.
 */

/** The primary key of an owner's row. */
export const ownKey = ({ id, owner_id }: Readonly<Record<'id' | 'owner_id', PgColumn>>) =>
  primaryKey({ columns: [id, owner_id] })

/** Refers to a row of the same owner, whose removal removes this one too. Columns: the reference and the owner. */
export const ofSameOwner = (name: string, columns: [PgColumn, PgColumn], foreignColumns: [PgColumn, PgColumn]) =>
  foreignKey({ name, columns, foreignColumns }).onDelete('cascade')

/** The event's owner. A trigger writes it into rows of a release that does not. */
export const ownerOfDelivery = () => uuid().notNull()

/** A positive finite double, or null. PostgreSQL orders NaN above Infinity, so one comparison refuses both. */
export const finite = (column: PgColumn): SQL => sql`${column} > 0 AND ${column} < 'Infinity'::float8`

/** The same with zero: a coin that nobody wants costs 0, and its ratio to any other is 0. */
export const finiteOrZero = (column: PgColumn): SQL => sql`${column} >= 0 AND ${column} < 'Infinity'::float8`
