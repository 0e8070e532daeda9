import { sql } from 'drizzle-orm'
import { check, doublePrecision, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, finite, finiteOrZero, instant } from './columns'
import { owners } from './users'

/** By whose prices alerts were last judged, in one row: thresholds that were set by them mean nothing by others. */
export const alert_source = pgTable(
  'alert_source',
  {
    id: smallint().primaryKey(),
    source: text({ enum: ['coingecko', 'simulated'] }).notNull(),
  },
  (table) => [check('alert_source_one_row', sql`${table.id} = 1`)],
)

/**
 * Every crossing that disarmed a side, written with it: what an owner's history shows, and what devices are told from.
 * A row says all that has to be told; widget and threshold may be others by then.
 */
export const alert_events = pgTable(
  'alert_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    owner_id: belongsTo(() => owners.id),
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
    crossed_at: instant().notNull(),
    /** When a later price armed the side again, by being on this side of `threshold`; null: none has, or the owner armed it. */
    back_at: instant(),
    /** State of the crossing's delivery to the owner's browsers, or why it has none. */
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
