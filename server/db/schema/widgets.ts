import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  type IndexBuilder,
  integer,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AlertSide } from '../../../src/domain/alerts'
import { RULE_KIND_NAMES, RULE_LOUDNESSES, RULE_REPEATS } from '../../../src/domain/rule-kinds'
import { belongsTo, finite, instant, ownKey, ofSameOwner } from './columns'
import { owners } from './users'

/**
 * The pairs of widgets, once each: a price update looks at these few instead of at every widget (decision 0048). A pair
 * without widgets is removed in time.
 */
export const pairs = pgTable(
  'pairs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
  },
  (table) => [
    unique('pairs_coins').on(table.coin_a_id, table.coin_b_id),
    // The oldest pairs of a coin: the first with a widget tells since when the coin is held.
    index('pairs_coin_a').on(table.coin_a_id, table.id),
    index('pairs_coin_b').on(table.coin_b_id, table.id),
  ],
)

type WatchedColumns = Readonly<Record<'is_active' | 'notifications_enabled', PgColumn>>
type SideColumns = WatchedColumns &
  Readonly<
    Record<'pair_id' | `${AlertSide}_threshold` | `${AlertSide}_threshold_active` | `${AlertSide}_due_at`, PgColumn>
  >

const isWatched = ({ is_active, notifications_enabled }: WatchedColumns): SQL =>
  sql`${is_active} AND ${notifications_enabled}`

/**
 * Read by a price update, of one side (decision 0048): the armed sides, those that have fired by the ratio that arms them
 * again, and those that are beyond their threshold until they are due. So none is read for which nothing changes.
 */
function sideIndexes(side: AlertSide, table: SideColumns, back: SQL): IndexBuilder[] {
  const threshold = table[`${side}_threshold`]
  const isArmed = table[`${side}_threshold_active`]
  const dueAt = table[`${side}_due_at`]
  const isSet = sql`${isWatched(table)} AND ${threshold} IS NOT NULL`
  return [
    index(`widgets_${side}_armed`)
      .on(table.pair_id, threshold)
      .where(sql`${isSet} AND ${isArmed} AND ${dueAt} IS NULL`),
    index(`widgets_${side}_back`)
      .on(table.pair_id, back)
      .where(sql`${isSet} AND NOT ${isArmed}`),
    index(`widgets_${side}_held`)
      .on(table.pair_id, threshold)
      .where(sql`${isSet} AND ${dueAt} IS NOT NULL`),
  ]
}

export const widgets = pgTable(
  'widgets',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: belongsTo(() => owners.id),
    /** 0, 1, 2 … without holes within an owner. */
    display_order: integer().notNull(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
    /** The two coins above, by the number that alert indexes are made of. */
    pair_id: integer()
      .notNull()
      .references(() => pairs.id),
    high_threshold: doublePrecision(),
    low_threshold: doublePrecision(),
    notifications_enabled: boolean().notNull(),
    high_threshold_active: boolean().notNull().default(true),
    low_threshold_active: boolean().notNull().default(true),
    /** The present epoch of each side. */
    high_epoch: integer().notNull().default(0),
    low_epoch: integer().notNull().default(0),
    /** Of both sides: a share of the threshold, and minutes; see `AlertRule`. */
    alert_margin: doublePrecision().notNull().default(0),
    alert_hold_minutes: integer().notNull().default(0),
    /** The ratio is beyond the armed side's threshold, and fires it if it still is at this time; null: it is not. */
    high_due_at: instant(),
    low_due_at: instant(),
    /** Alerts that fire before are recorded and not sent; null: it is not snoozed. */
    snoozed_until: instant(),
    /** Sum of the epochs of all alerts of the pair when it was snoozed: with another sum it is over. Null: time alone ends it. */
    snoozed_epochs: integer(),
    /** True while the widget stands within the tier's limit; a column because alert indexes need it. */
    is_active: boolean().notNull(),
    /** The Idempotency-Key of the create. */
    created_by_op: uuid(),
    created_at: instant().notNull(),
  },
  (table) => [
    ownKey(table),
    unique('widgets_owner_pair').on(table.owner_id, table.coin_a_id, table.coin_b_id),
    unique('widgets_owner_op').on(table.owner_id, table.created_by_op),
    // Read by a release that knows no margin and no hold, which may judge beside this one.
    index('widgets_high')
      .on(table.pair_id, table.high_threshold_active, table.high_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND ${table.high_threshold} IS NOT NULL`),
    index('widgets_low')
      .on(table.pair_id, table.low_threshold_active, table.low_threshold)
      .where(sql`${table.is_active} AND ${table.notifications_enabled} AND ${table.low_threshold} IS NOT NULL`),
    ...sideIndexes('high', table, sql`(${table.high_threshold} * (1 - ${table.alert_margin}))`),
    ...sideIndexes('low', table, sql`(${table.low_threshold} * (1 + ${table.alert_margin}))`),
    // Pairs with sides that are beyond their threshold and have to stay there, and which of these are to fire first.
    index('widgets_due')
      .on(table.pair_id, sql`least(${table.high_due_at}, ${table.low_due_at})`)
      .where(sql`${isWatched(table)} AND (${table.high_due_at} IS NOT NULL OR ${table.low_due_at} IS NOT NULL)`),
    // Which pairs there are widgets of, and which of them a price update is to look at.
    index('widgets_pair').on(table.pair_id),
    index('widgets_watched')
      .on(table.pair_id)
      .where(
        sql`${table.is_active} AND ${table.notifications_enabled} AND (${table.high_threshold} IS NOT NULL OR ${table.low_threshold} IS NOT NULL)`,
      ),
    check('widgets_coins_differ', sql`${table.coin_a_id} <> ${table.coin_b_id}`),
    check('widgets_order', sql`${table.display_order} >= 0`),
    check('widgets_epochs', sql`${table.high_epoch} >= 0 AND ${table.low_epoch} >= 0`),
    check('widgets_alert_margin', sql`${table.alert_margin} BETWEEN 0 AND 0.5`),
    check('widgets_alert_hold_minutes', sql`${table.alert_hold_minutes} BETWEEN 0 AND 1440`),
    check('widgets_high_threshold', finite(table.high_threshold)),
    check('widgets_low_threshold', finite(table.low_threshold)),
  ],
)

/** The limits that `is_active` was last brought into line with, in one row. */
export const applied_limits = pgTable(
  'applied_limits',
  {
    id: integer().primaryKey().default(1),
    /** Most active widgets of free owners, and of owners with Premium. */
    free: integer().notNull(),
    premium: integer().notNull(),
    /** When they took the place of others. */
    since: instant().notNull(),
  },
  (table) => [check('applied_limits_one_row', sql`${table.id} = 1`)],
)

/**
 * The alerts of widgets, each a level on a measure of its pair. A trigger of `widgets` writes the two thresholds in the statement
 * that writes the columns, whoever does: a release before this table writes, and judges by, the columns alone.
 */
export const alert_rules = pgTable(
  'alert_rules',
  {
    /** Of a threshold: made of widget and kind. */
    id: uuid().notNull(),
    widget_id: uuid().notNull(),
    owner_id: uuid().notNull(),
    /** No foreign key: the widget holds it. */
    pair_id: integer().notNull(),
    kind: text({ enum: ['above', 'below', ...RULE_KIND_NAMES] }).notNull(),
    /** In the unit of its kind. */
    level: doublePrecision().notNull(),
    margin: doublePrecision().notNull(),
    hold_minutes: integer().notNull(),
    armed: boolean().notNull(),
    epoch: integer().notNull(),
    due_at: instant(),
    /** Its widget is active; of a threshold, and its alerts are on. A trigger of `widgets` writes it. */
    watched: boolean().notNull(),
    /*
     * Of thresholds, all below are as they are here: those are judged by the columns of their widget.
     */
    /** `measureName`: what the rule is judged by; null: a threshold. */
    measure: text(),
    /** `turnsOf`: the rule is looked at beyond the one, and at the other or below it. */
    above: doublePrecision(),
    below: doublePrecision(),
    /** As `RuleMemory`. */
    anchor: doublePrecision(),
    ended: boolean().notNull().default(false),
    rule_window: text(),
    repeat: text({ enum: RULE_REPEATS }).notNull().default('each'),
    expires_at: instant(),
    loudness: text({ enum: RULE_LOUDNESSES }).notNull().default('buzz'),
    note: text(),
    /** The Idempotency-Key of the create. */
    created_by_op: uuid(),
    created_at: instant(),
  },
  (table) => [
    ownKey(table),
    ofSameOwner('alert_rules_widget_fk', [table.widget_id, table.owner_id], [widgets.id, widgets.owner_id]),
    index('alert_rules_widget').on(table.widget_id),
    uniqueIndex('alert_rules_owner_op')
      .on(table.owner_id, table.created_by_op)
      .where(sql`${table.created_by_op} IS NOT NULL`),
    // Read by a price update: which rules change at a measure.
    index('alert_rules_above')
      .on(table.pair_id, table.measure, table.above)
      .where(sql`${table.watched} AND ${table.above} IS NOT NULL`),
    index('alert_rules_below')
      .on(table.pair_id, table.measure, table.below)
      .where(sql`${table.watched} AND ${table.below} IS NOT NULL`),
    index('alert_rules_due')
      .on(table.due_at)
      .where(sql`${table.watched} AND ${table.measure} IS NOT NULL AND ${table.due_at} IS NOT NULL`),
    index('alert_rules_expiring')
      .on(table.expires_at)
      .where(sql`${table.watched} AND NOT ${table.ended} AND ${table.expires_at} IS NOT NULL`),
  ],
)

/**
 * The measures of pairs that rules are judged by, and measures between which none of their rules changes: a price update compares
 * these few instead of looking for rules. A transaction that writes a rule widens them; an update that finds no rule beyond one narrows it.
 */
export const rule_bounds = pgTable(
  'rule_bounds',
  {
    pair_id: integer()
      .notNull()
      .references(() => pairs.id, { onDelete: 'cascade' }),
    measure: text().notNull(),
    /** At most the least `above`, and at least the largest `below` of the watched rules; null: there is none. */
    above: doublePrecision(),
    below: doublePrecision(),
  },
  (table) => [primaryKey({ columns: [table.pair_id, table.measure] })],
)

/** A trigger reckons the rules since a widget's default one anew in the statement that changes it, whoever does. */
export const checkpoints = pgTable(
  'checkpoints',
  {
    id: uuid().notNull().defaultRandom(),
    widget_id: uuid().notNull(),
    owner_id: belongsTo(() => owners.id),
    ratio: doublePrecision().notNull(),
    /** US dollars of the coins whose ratio it is; null: not known, as of clients before this column. */
    price_a: doublePrecision(),
    price_b: doublePrecision(),
    /** When the ratio was saved, as the client says. */
    timestamp: instant().notNull(),
    is_default: boolean().notNull(),
    display_order: integer().notNull(),
    /** The Idempotency-Key of the create. */
    created_by_op: uuid(),
    created_at: instant().notNull(),
  },
  (table) => [
    ownKey(table),
    ofSameOwner('checkpoints_widget_fk', [table.widget_id, table.owner_id], [widgets.id, widgets.owner_id]),
    unique('checkpoints_owner_op').on(table.owner_id, table.created_by_op),
    index('checkpoints_widget_order').on(table.widget_id, table.display_order),
    uniqueIndex('checkpoints_one_default')
      .on(table.widget_id, table.owner_id)
      .where(sql`${table.is_default}`),
    check('checkpoints_order', sql`${table.display_order} >= 0`),
    check('checkpoints_ratio', finite(table.ratio)),
    check('checkpoints_price_a', finite(table.price_a)),
    check('checkpoints_price_b', finite(table.price_b)),
    check('checkpoints_both_prices', sql`(${table.price_a} IS NULL) = (${table.price_b} IS NULL)`),
  ],
)

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
