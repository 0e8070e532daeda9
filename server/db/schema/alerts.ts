import { sql } from 'drizzle-orm'
import { check, doublePrecision, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { finite, finiteOrZero } from './finite'
import { owners } from './owners'

/**
 * Every crossing that disarmed a side, written with it: what an owner's history shows, and what devices are told from.
 * A row says all that has to be told; widget and threshold may be others by then.
 */
export const alert_events = pgTable(
  'alert_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    owner_id: uuid()
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** No foreign key: what happened outlives the widget. */
    widget_id: uuid().notNull(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
    coin_a_symbol: text().notNull(),
    coin_b_symbol: text().notNull(),
    side: text({ enum: ['high', 'low'] }).notNull(),
    /** Number of the arming that ended: with widget and side it makes `alertEventId`. */
    epoch: integer().notNull(),
    ratio: doublePrecision().notNull(),
    /** The one that was crossed. */
    threshold: doublePrecision().notNull(),
    crossed_at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    /** When a later price armed the side again, by being on this side of `threshold`; null: none has, or the owner armed it. */
    back_at: timestamp({ withTimezone: true, precision: 3 }),
    /** Whether the owner's browsers have been given something to deliver, or why they were not. */
    delivery: text({ enum: ['waiting', 'fanned-out', 'widget-gone', 'switched-off', 'account-closed', 'too-late'] })
      .notNull()
      .default('waiting'),
  },
  (table) => [
    unique('alert_events_crossing').on(table.widget_id, table.side, table.epoch),
    index('alert_events_history').on(table.owner_id, table.crossed_at),
    index('alert_events_back')
      .on(table.owner_id, table.back_at)
      .where(sql`${table.back_at} IS NOT NULL`),
    index('alert_events_age').on(table.crossed_at),
    index('alert_events_waiting')
      .on(table.crossed_at)
      .where(sql`${table.delivery} = 'waiting'`),
    check('alert_events_side', sql`${table.side} IN ('high', 'low')`),
    check('alert_events_ratio', finiteOrZero(table.ratio)),
    check('alert_events_threshold', finite(table.threshold)),
  ],
)
