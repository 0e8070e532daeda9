import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './users'

/** What people wrote to us; a mail to support goes out with each. */
export const feedback = pgTable('feedback', {
  id: uuid().primaryKey().defaultRandom(),
  /** Null: a guest wrote it. It goes with the account. */
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  message: text().notNull(),
  /** The Idempotency-Key it came with: sent again, it is not kept twice. */
  created_by_op: uuid().unique(),
  created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
})
