import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from './columns'
import { owners } from './users'

/**
 * Idempotency-Keys that have been used, written in the transaction of the change. The key of a create stays for ever
 * and outlives what it made; the others go after 90 days.
 */
export const operations = pgTable(
  'operations',
  {
    owner_id: belongsTo(() => owners.id),
    op_id: uuid().notNull(),
    /** SHA-256 of call, parameters and body (base64url): the same key with another request is refused. */
    request_hash: text().notNull(),
    for_ever: boolean().notNull(),
    created_at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner_id, table.op_id] }),
    index('operations_expiring')
      .on(table.created_at)
      .where(sql`NOT ${table.for_ever}`),
  ],
)
