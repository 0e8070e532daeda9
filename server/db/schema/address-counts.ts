import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/** How often a network asked for what is costly, over all processes; one row a network, kind of request and period. */
export const address_counts = pgTable(
  'address_counts',
  {
    /** Kind of request, and the SHA-256 of the network: the table is no list of addresses. */
    key: text().primaryKey(),
    count: integer().notNull(),
    /** When counting begins anew. Milliseconds since 1970. */
    ends_at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [index('address_counts_ends_at').on(table.ends_at)],
)
