import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns'
import { sql } from 'drizzle-orm'
import { AUDITED_ACTIONS } from '../../../src/contract/admin'
import { users } from './users'

/** Actions of operators. Addresses are kept as they were: the entry outlives both accounts. */
export const audit_log = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey().defaultRandom(),
    at: instant().notNull(),
    /** Null: the configuration or the command line, or an account that is gone. */
    actor_id: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** Null: the configuration or the command line. */
    actor_email: text(),
    action: text({ enum: AUDITED_ACTIONS }).notNull(),
    target_id: uuid().references(() => users.id, { onDelete: 'set null' }),
    target_email: text().notNull(),
    details: text(),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_target').on(table.target_id, table.at),
    index('audit_log_actor').on(table.actor_id),
    check(
      'audit_log_action',
      sql`${table.action} IN ('grant-premium', 'revoke-premium', 'appoint-superuser', 'dismiss-superuser')`,
    ),
  ],
)
