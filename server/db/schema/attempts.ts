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

/** Attempts that are limited by account, as a log of each account's latest attempts: shared by all processes. */
export const attempts = pgTable(
  'attempts',
  {
    /** The kind of attempt and the SHA-256 of its account: the table is no list of addresses. */
    key: text().primaryKey(),
    /** Milliseconds since 1970, oldest first, no more than may be made. */
    at: bigint({ mode: 'number' }).array().notNull(),
    /** When the latest of them no longer counts. */
    forget_at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [index('attempts_forget').on(table.forget_at)],
)
