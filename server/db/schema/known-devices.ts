import { index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './users'

const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** Browsers that have signed in to an account. Wrong passwords from one are counted apart from those of strangers. */
export const known_devices = pgTable(
  'known_devices',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 (base64url) of 256 random bits that the browser keeps, over logouts as well. */
    token_hash: text().notNull(),
    created_at: instant().notNull(),
    /** Time of the last sign-in. */
    seen_at: instant().notNull(),
  },
  (table) => [
    unique('known_devices_user_token').on(table.user_id, table.token_hash),
    index('known_devices_seen').on(table.seen_at),
  ],
)
