import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { QuietHours } from '../../../src/domain/quiet-hours'
import { RULE_KIND_NAMES, RULE_LOUDNESSES } from '../../../src/domain/rule-kinds'
import { WAY_KINDS } from '../../../src/domain/way-alerts'
import { belongsTo, finite, finiteOrZero, instant, ownKey, ofSameOwner, ownerOfDelivery } from './columns'
import { owners } from './users'
import { sessions } from './sessions'
import { pairs } from './widgets'

/** The source whose prices last judged alerts, in one row: thresholds set by one source mean nothing by another. */
export const alert_source = pgTable(
  'alert_source',
  {
    id: smallint().primaryKey(),
    source: text({ enum: ['coingecko', 'simulated'] }).notNull(),
  },
  (table) => [check('alert_source_one_row', sql`${table.id} = 1`)],
)

/** An owner's alerts beside those of the widgets' thresholds; no row: none. */
export const alert_settings = pgTable(
  'alert_settings',
  {
    owner_id: uuid()
      .primaryKey()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** Whenever a pair of the board comes to an extreme. */
    extremes: boolean().notNull().default(false),
    /** Null: none. */
    quiet_hours: jsonb().$type<QuietHours>(),
    /** Nothing is sent before, and what fires before is not sent afterwards either; null or past: alerts are sent. */
    paused_until: instant(),
  },
  (table) => [
    // Whether anybody wants extremes: a price update asks first.
    index('alert_settings_extremes')
      .on(table.owner_id)
      .where(sql`${table.extremes}`),
  ],
)

/** The place of a pair when a price update last judged it; a pair without a row has not been judged. */
export const pair_extremes = pgTable('pair_extremes', {
  pair_id: integer()
    .primaryKey()
    .references(() => pairs.id, { onDelete: 'cascade' }),
  /** The side on which it stands at an extreme; null: on none. */
  stands: text({ enum: ['high', 'low'] }),
  /** Numbers of the UTC days on which the sides last fired; null: never. */
  high_day: integer(),
  low_day: integer(),
})

/**
 * Extremes that pairs have come to, while widgets are left to record an event for: as many as one transaction takes at a time. All
 * that an event says of the pair.
 */
export const extreme_firings = pgTable(
  'extreme_firings',
  {
    pair_id: integer()
      .notNull()
      .references(() => pairs.id, { onDelete: 'cascade' }),
    side: text({ enum: ['high', 'low'] }).notNull(),
    /** Number of the UTC day. */
    day: integer().notNull(),
    ratio: doublePrecision().notNull(),
    threshold: doublePrecision().notNull(),
    measure: doublePrecision().notNull(),
    days: integer().notNull(),
    crossed_at: instant().notNull(),
    /** The widget that has an event and follows all others that have one; null: none has. */
    after_widget: uuid(),
  },
  (table) => [primaryKey({ columns: [table.pair_id, table.side, table.day] })],
)

/** Pairs with a price that is too old to judge by, or none, while the provider answers. */
export const unjudged_pairs = pgTable(
  'unjudged_pairs',
  {
    pair_id: integer()
      .primaryKey()
      .references(() => pairs.id, { onDelete: 'cascade' }),
    /** The coin with the older price: A is `high`. */
    side: text({ enum: ['high', 'low'] }).notNull(),
    /** Of the first look at which it was so: names the stretch. */
    begun_at: instant().notNull(),
    /** Looks in a row at which it was so, and the time of the last that counted. */
    looks: integer().notNull(),
    looked_at: instant().notNull(),
    /** Owners have been told. */
    told: boolean().notNull().default(false),
    /** The widget that has an event and follows all others that have one; null: none has. */
    after_widget: uuid(),
  },
  (table) => [
    index('unjudged_pairs_untold')
      .on(table.looks)
      .where(sql`NOT ${table.told}`),
  ],
)

/** `rule_expired`: a rule of any kind is over. `unjudged`: the pair cannot be judged; `side` is that of `unjudged_pairs`. */
export const EVENT_KINDS = [
  'threshold',
  'extreme_high',
  'extreme_low',
  ...RULE_KIND_NAMES,
  'rule_expired',
  ...WAY_KINDS,
  'unjudged',
] as const

/**
 * Every crossing that disarmed a side, written with the disarming, and every extreme that a pair came to, once for each of its
 * widgets: an owner's history, and the source of pushes. A row holds all that a push says; widget and threshold may be
 * others by then.
 */
export const alert_events = pgTable(
  'alert_events',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: belongsTo(() => owners.id),
    /** No foreign key: what happened outlives the widget. */
    widget_id: uuid().notNull(),
    coin_a_id: text().notNull(),
    coin_b_id: text().notNull(),
    coin_a_symbol: text().notNull(),
    coin_b_symbol: text().notNull(),
    side: text({ enum: ['high', 'low'] }).notNull(),
    /** The widget's threshold of `side`, as of processes that know nothing else, or the pair's extreme. */
    kind: text({ enum: EVENT_KINDS }).notNull().default('threshold'),
    /** The epoch that ended, of an extreme the number of the UTC day: with widget, side and kind the `alertEventId`. */
    epoch: integer().notNull(),
    ratio: doublePrecision().notNull(),
    /** The one that was crossed; of an extreme the ratio beyond which a twentieth of the pair's days lies. */
    threshold: doublePrecision().notNull(),
    /** Of an extreme: share of the pair's days with a ratio below, and how many days those were. Of a rule: in its level's unit. Of `unjudged`: minutes. */
    measure: doublePrecision(),
    days: integer(),
    /** Of a rule, as it was then. No foreign key: what happened outlives the rule. Of a way: its id, and `note` its name. */
    rule_id: uuid(),
    level: doublePrecision(),
    rule_window: text(),
    loudness: text({ enum: RULE_LOUDNESSES }),
    note: text(),
    crossed_at: instant().notNull(),
    /** When a later price armed the side again, by being on this side of `threshold`; null: none has, or the owner armed it. */
    back_at: instant(),
    /** State of the crossing's delivery to the owner's browsers, or why it has none. */
    delivery: text({
      enum: [
        'waiting',
        'fanned-out',
        'widget-gone',
        'switched-off',
        'account-closed',
        'paused',
        'snoozed',
        'too-late',
        'log-only',
        // Its owner had no browser and no channel, or only browsers whose app does not know the kind.
        'no-way',
        'older-app',
        // The browser that it waited for was no longer known to its push service.
        'device-gone',
      ],
    })
      .notNull()
      .default('waiting'),
    /** The end of its owner's quiet hours, before which no browser or channel is told of it; null: it fired outside them. */
    held_until: instant(),
  },
  (table) => [
    ownKey(table),
    unique('alert_events_crossing')
      .on(table.widget_id, table.side, table.epoch, table.kind, table.rule_id, table.owner_id)
      .nullsNotDistinct(),
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

/** The one pair of keys by which every process introduces itself to push services; of a server of its own only. */
export const vapid_keys = pgTable('vapid_keys', {
  /** Always 1. */
  id: smallint().primaryKey(),
  public_key: text().notNull(),
  /** Null: the processes are given it as VAPID_PRIVATE_KEY. */
  private_key: text(),
})

/** Browsers that get their owner's alerts. Anybody who knows an endpoint can send to it, so endpoints stand in no log. */
export const push_subscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: belongsTo(() => owners.id),
    /**
     * The session that subscribed; with it the subscription ends. Null: a guest's, or one of a user that was made before
     * this column and not renewed since.
     */
    session_id: uuid().references(() => sessions.id, { onDelete: 'cascade' }),
    /** As a URL is spelled by the standard, so that one browser is one row. */
    endpoint: text().notNull().unique(),
    /** RFC 8291: the browser's public key and its secret, base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** Kinds of alerts that its service worker can show besides those of thresholds. */
    kinds: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** SHA-256 of the secret by which the browser confirms what it showed; null: it does not. It takes declarative pushes too. */
    receipt_hash: text(),
    /** When it last confirmed that it had shown something. */
    shown_at: instant(),
    /** Its owner has been told that it shows nothing; null: not since it last did. */
    silence_told_at: instant(),
    /** As the browser says; its push service tells by 404 or 410 when it is over. */
    expires_at: instant(),
    /** When the browser last said that it wants them. */
    subscribed_at: instant().notNull(),
    /** Its push service does not take messages from us (403); null again once the browser subscribes anew. */
    refused_at: instant(),
    /** Nothing is sent before: a process is sending something, or the push service has asked for a pause. */
    free_at: instant().notNull(),
  },
  (table) => [
    ownKey(table),
    index('push_subscriptions_receipts')
      .on(table.receipt_hash)
      .where(sql`${table.receipt_hash} IS NOT NULL`),
    index('push_subscriptions_owner').on(table.owner_id, table.subscribed_at),
    index('push_subscriptions_session').on(table.session_id),
  ],
)

/** One alert for one browser. */
export const push_deliveries = pgTable(
  'push_deliveries',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: ownerOfDelivery(),
    event_id: uuid().notNull(),
    subscription_id: uuid().notNull(),
    outcome: text({ enum: ['waiting', 'sent', 'refused', 'undeliverable', 'too-late', 'unwanted', 'superseded'] })
      .notNull()
      .default('waiting'),
    /** Tries that were begun. */
    attempts: integer().notNull().default(0),
    next_attempt_at: instant().notNull(),
    /** When there was nothing more to do. */
    ended_at: instant(),
    /** When the browser confirmed that it had shown it. */
    shown_at: instant(),
  },
  (table) => [
    ownKey(table),
    ofSameOwner('push_deliveries_event_fk', [table.event_id, table.owner_id], [alert_events.id, alert_events.owner_id]),
    ofSameOwner(
      'push_deliveries_subscription_fk',
      [table.subscription_id, table.owner_id],
      [push_subscriptions.id, push_subscriptions.owner_id],
    ),
    unique('push_deliveries_event_subscription').on(table.event_id, table.subscription_id, table.owner_id),
    index('push_deliveries_due')
      .on(table.next_attempt_at)
      .where(sql`${table.outcome} = 'waiting'`),
    index('push_deliveries_subscription').on(table.subscription_id),
    index('push_deliveries_ended').on(table.ended_at),
    check('push_deliveries_ended', sql`(${table.outcome} = 'waiting') = (${table.ended_at} IS NULL)`),
  ],
)
