import { sql } from 'drizzle-orm'
import { check, pgTable, smallint, text } from 'drizzle-orm/pg-core'

/** By whose prices alerts were last judged, in one row: thresholds that were set by them mean nothing by others. */
export const alert_source = pgTable(
  'alert_source',
  {
    id: smallint().primaryKey(),
    source: text({ enum: ['coingecko', 'simulated'] }).notNull(),
  },
  (table) => [check('alert_source_one_row', sql`${table.id} = 1`)],
)
