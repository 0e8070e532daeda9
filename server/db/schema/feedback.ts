import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { owners } from './owners'
import { users } from './users'

/** What people wrote to us; a mail to support goes out with each. */
export const feedback = pgTable(
  'feedback',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The user who wrote it; null: a guest did. It is removed with the account. */
    user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The guest who wrote it, and with whom it is removed; null in rows of earlier releases, which noted none. */
    guest_id: uuid().references(() => owners.id, { onDelete: 'cascade' }),
    message: text().notNull(),
    /** The Idempotency-Key it came with: sent again, it is not kept twice. */
    created_by_op: uuid().unique(),
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    index('feedback_user').on(table.user_id),
    index('feedback_guest').on(table.guest_id),
    index('feedback_age').on(table.created_at),
  ],
)
