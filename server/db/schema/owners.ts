import { sql } from 'drizzle-orm'
import { check, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Whoever has widgets. Its row is what a change locks, so that one owner's changes happen one after the other. */
export const owners = pgTable(
  'owners',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: ['guest', 'user'] }).notNull(),
    /** SHA-256 of a guest's anonymous id (base64url): knowing the id is owning the widgets, so it is not stored. */
    anonymous_hash: text().unique(),
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    check('owners_kind', sql`${table.kind} IN ('guest', 'user')`),
    check('owners_guest_has_hash', sql`(${table.kind} = 'guest') = (${table.anonymous_hash} IS NOT NULL)`),
  ],
)
