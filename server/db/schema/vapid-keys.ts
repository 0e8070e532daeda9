import { pgTable, smallint, text } from 'drizzle-orm/pg-core'

/** The one pair of keys by which every process introduces itself to push services; of a server of its own only. */
export const vapid_keys = pgTable('vapid_keys', {
  /** Always 1. */
  id: smallint().primaryKey(),
  public_key: text().notNull(),
  /** Null: the processes are given it as VAPID_PRIVATE_KEY. */
  private_key: text(),
})
