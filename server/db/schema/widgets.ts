import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core' // prettier-ignore
import { finite } from './finite'
import { owners } from './owners'
import { pairs } from './pairs'

export const widgets = pgTable(
  'widgets',
  {
    id: uuid().primaryKey().defaultRandom(),
    owner_id: uuid()
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** 0, 1, 2 … without holes within an owner. */
    display_order: integer().notNull(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
    /** The two coins above, by the number that alert indexes are made of. */
    pair_id: integer()
      .notNull()
      .references(() => pairs.id),
    high_threshold: doublePrecision(),
    low_threshold: doublePrecision(),
    notifications_enabled: boolean().notNull(),
    high_threshold_active: boolean().notNull().default(true),
    low_threshold_active: boolean().notNull().default(true),
    /** Number of the present arming of each side. */
    high_epoch: integer().notNull().default(0),
    low_epoch: integer().notNull().default(0),
    /** Whether it stands within the tier's limit; a column because alert indexes need it. */
    is_active: boolean().notNull(),
    /** The Idempotency-Key of the create. */
    created_by_op: uuid(),
    created_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    unique('widgets_owner_pair').on(table.owner_id, table.coin_a_id, table.coin_b_id),
    unique('widgets_owner_op').on(table.owner_id, table.created_by_op),
    // What a price update looks for: armed sides beyond their threshold, and disarmed ones that are not.
    index('widgets_high_armed')
      .on(table.pair_id, table.high_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND ${table.high_threshold_active}`),
    index('widgets_low_armed')
      .on(table.pair_id, table.low_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND ${table.low_threshold_active}`),
    index('widgets_high_disarmed')
      .on(table.pair_id, table.high_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND NOT ${table.high_threshold_active}`),
    index('widgets_low_disarmed')
      .on(table.pair_id, table.low_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND NOT ${table.low_threshold_active}`),
    // Which pairs there are widgets of, and which of them a price update is to look at.
    index('widgets_pair').on(table.pair_id),
    index('widgets_watched')
      .on(table.pair_id)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND (${table.high_threshold} IS NOT NULL OR ${table.low_threshold} IS NOT NULL)`), // prettier-ignore
    index('widgets_owner_order').on(table.owner_id, table.display_order),
    check('widgets_coins_differ', sql`${table.coin_a_id} <> ${table.coin_b_id}`),
    check('widgets_order', sql`${table.display_order} >= 0`),
    check('widgets_epochs', sql`${table.high_epoch} >= 0 AND ${table.low_epoch} >= 0`),
    check('widgets_high_threshold', finite(table.high_threshold)),
    check('widgets_low_threshold', finite(table.low_threshold)),
  ],
)
