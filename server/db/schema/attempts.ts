import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'

/** What is limited by account, as a log of each account's latest attempts: shared by all processes. */
export const attempts = pgTable(
  'attempts',
  {
    /** What is attempted, and the SHA-256 of for whom: the table is no list of addresses. */
    key: text().primaryKey(),
    /** Milliseconds since 1970, oldest first, no more than may be made. */
    at: bigint({ mode: 'number' }).array().notNull(),
    /** When the latest of them no longer counts. */
    forget_at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [index('attempts_forget').on(table.forget_at)],
)
