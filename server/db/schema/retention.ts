import { check, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

const instant = () => timestamp({ withTimezone: true, precision: 3 })

/** One row: how far the clock may be believed when rows are removed by their age. See `services/retention/sound-time.ts`. */
export const retention_clock = pgTable(
  'retention_clock',
  {
    /** Always `retention`. */
    name: text().primaryKey(),
    /** The latest time that removal went by. */
    confirmed_at: instant().notNull(),
    /** A time more than a day ahead of that, as a clock first showed it; null: the clock is not doubted. */
    doubted_at: instant(),
  },
  (table) => [check('retention_clock_single', sql`${table.name} = 'retention'`)],
)
