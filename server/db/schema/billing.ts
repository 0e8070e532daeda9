import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from './columns'
import { users } from './users'

/** The customer that a user is at the payment provider. */
export const billing_customers = pgTable(
  'billing_customers',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    customer_id: text().notNull().unique(),
    /**
     * Counts what was written of this customer's subscriptions. A reading of the provider is written only if nothing
     * else was since it was asked for: so what is read later is written later.
     */
    version: integer().notNull().default(0),
    /** When the provider was last asked. */
    synced_at: instant().notNull(),
  },
  (table) => [index('billing_customers_synced').on(table.synced_at)],
)

/** Subscriptions that gave a user Premium, paid for or given by an operator. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: belongsTo(() => users.id),
    /** The provider's id, or `manual_` and a random one. */
    stripe_subscription_id: text().notNull().unique(),
    /** The provider's word; a grant is `active` until it is revoked or over, then `canceled`. */
    status: text().notNull(),
    current_period_start: instant().notNull(),
    current_period_end: instant().notNull(),
    cancel_at_period_end: boolean().notNull().default(false),
    created_at: instant().notNull(),
  },
  (table) => [
    index('subscriptions_user').on(table.user_id, table.created_at),
    index('subscriptions_status').on(table.status, table.current_period_end),
  ],
)

/** Events of the payment provider that have had their effect. */
export const billing_events = pgTable(
  'billing_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    received_at: instant().notNull(),
  },
  (table) => [index('billing_events_received').on(table.received_at)],
)

/** Customers of accounts that are gone, until the provider has removed them, too. */
export const billing_removals = pgTable(
  'billing_removals',
  {
    customer_id: text().primaryKey(),
    attempts: integer().notNull().default(0),
    next_attempt_at: instant().notNull(),
  },
  (table) => [index('billing_removals_due').on(table.next_attempt_at)],
)
