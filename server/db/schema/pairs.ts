import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'

/**
 * The pairs that widgets stand for, once each: a price update looks at these few instead of at every widget. One that no
 * widget stands for any more is removed in time.
 */
export const pairs = pgTable(
  'pairs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
  },
  (table) => [unique('pairs_coins').on(table.coin_a_id, table.coin_b_id), index('pairs_coin_b').on(table.coin_b_id)],
)
