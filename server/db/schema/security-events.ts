import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { SECURITY_EVENTS } from '../../../src/contract/security-events'
import { belongsTo, instant } from './columns'
import { users } from './users'

/** Events of an account, for its user to read. */
export const security_events = pgTable(
  'security_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: belongsTo(() => users.id),
    at: instant().notNull(),
    /** Not checked: a row of a newer version must not stop an older one. */
    kind: text({ enum: SECURITY_EVENTS }).notNull(),
    /** A passkey's name, or the browser whose session was ended; null: nothing to name. */
    about: text(),
    /** Such as "Chrome on Android"; null: unknown, or not the user's own browser. */
    browser: text(),
    /** A /24 of IPv4 or a /48 of IPv6, as text; null as above. */
    network: text(),
  },
  (table) => [
    index('security_events_user').on(table.user_id, table.at),
    // Removed by age, over all accounts.
    index('security_events_at').on(table.at),
  ],
)
