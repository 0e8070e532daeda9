import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { alert_events } from './alerts'
import { belongsTo, instant } from './columns'
import { sessions } from './sessions'
import { owners } from './users'

/** The one pair of keys by which every process introduces itself to push services; of a server of its own only. */
export const vapid_keys = pgTable('vapid_keys', {
  /** Always 1. */
  id: smallint().primaryKey(),
  public_key: text().notNull(),
  /** Null: the processes are given it as VAPID_PRIVATE_KEY. */
  private_key: text(),
})

/** Browsers that are to be told of their owner's alerts. Anybody who knows an endpoint can send to it, so it stands in no log. */
export const push_subscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
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
    index('push_subscriptions_owner').on(table.owner_id, table.subscribed_at),
    index('push_subscriptions_session').on(table.session_id),
  ],
)

/** One alert for one browser. */
export const push_deliveries = pgTable(
  'push_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    event_id: belongsTo(() => alert_events.id),
    subscription_id: belongsTo(() => push_subscriptions.id),
    outcome: text({ enum: ['waiting', 'sent', 'refused', 'undeliverable', 'too-late', 'unwanted', 'superseded'] })
      .notNull()
      .default('waiting'),
    /** Tries that were begun. */
    attempts: integer().notNull().default(0),
    next_attempt_at: instant().notNull(),
    /** When there was nothing more to do. */
    ended_at: instant(),
  },
  (table) => [
    unique('push_deliveries_event_subscription').on(table.event_id, table.subscription_id),
    index('push_deliveries_due')
      .on(table.next_attempt_at)
      .where(sql`${table.outcome} = 'waiting'`),
    index('push_deliveries_subscription').on(table.subscription_id),
    index('push_deliveries_ended').on(table.ended_at),
    check('push_deliveries_ended', sql`(${table.outcome} = 'waiting') = (${table.ended_at} IS NULL)`),
  ],
)
