import { sql } from 'drizzle-orm'
import { check, date, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Whoever has widgets. Its row is what a change locks, so that one owner's changes happen one after the other. */
export const owners = pgTable(
  'owners',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: ['guest', 'user'] }).notNull(),
    /** SHA-256 of a guest's anonymous id (base64url): knowing the id is owning the widgets, so it is not stored. */
    anonymous_hash: text().unique(),
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    /** The day (UTC) on which a guest's browser last asked for pairs or changed one; null for users. */
    last_seen: date({ mode: 'string' }).default(sql`(now() AT TIME ZONE 'UTC')::date`),
  },
  (table) => [
    index('owners_guests_seen')
      .on(table.last_seen)
      .where(sql`${table.kind} = 'guest'`),
    check('owners_kind', sql`${table.kind} IN ('guest', 'user')`),
    check('owners_guest_has_hash', sql`(${table.kind} = 'guest') = (${table.anonymous_hash} IS NOT NULL)`),
  ],
)
