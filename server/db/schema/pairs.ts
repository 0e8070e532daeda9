import { integer, pgTable, text, unique } from 'drizzle-orm/pg-core'

/**
 * The pairs that widgets have ever stood for, once each: a price update looks at these few instead of at every widget.
 * There can be no more of them than pairs of listed coins, so none is removed.
 */
export const pairs = pgTable(
  'pairs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
  },
  (table) => [unique('pairs_coins').on(table.coin_a_id, table.coin_b_id)],
)
