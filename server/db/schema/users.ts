import { sql } from 'drizzle-orm'
import { boolean, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { owners } from './owners'

/** The account of an owner of kind `user`. */
export const users = pgTable(
  'users',
  {
    /** The owner's own id. */
    id: uuid()
      .primaryKey()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** As its owner wrote it; no two differ in capitals alone. */
    email: text().notNull(),
    /** Which limits hold. Whoever changes this holds the owner's row, and brings `is_active` of the widgets into line. */
    has_premium_access: boolean().notNull().default(false),
    is_superuser: boolean().notNull().default(false),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`)],
)
