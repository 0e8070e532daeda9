import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { alert_events } from './alerts'
import { belongsTo, instant, ownKey, ofSameOwner, ownerOfDelivery } from './columns'
import { owners } from './users'

/**
 * Ways to tell an owner of crossings beside web push. A webhook's address, a secret, a bot's chat let anybody send or read:
 * they stand in no log.
 */
export const alert_channels = pgTable(
  'alert_channels',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: belongsTo(() => owners.id),
    kind: text({ enum: ['email', 'webhook', 'telegram'] }).notNull(),
    /** `off`: by its owner, by the link of a mail, or after five days of failures. `ended`: by its receiver. */
    state: text({ enum: ['on', 'off', 'ended'] }).notNull(),
    /** Host of a webhook, or name of a chat; null: a mail goes to the account's address, or no chat is linked yet. */
    name: text(),
    /** Of webhooks. */
    url: text(),
    preset: text({ enum: ['json', 'ntfy', 'discord', 'slack'] }),
    bearer: text(),
    /** Signs a webhook's messages (`whsec_` and base64), or stops mails by the link in them; null for chats. */
    secret: text(),
    /** Signs too until `previous_until`. */
    previous_secret: text(),
    previous_until: instant(),
    /** Telegram's id of the chat; null: none has opened the link. */
    chat_id: text(),
    /** SHA-256 of the code in the link, good until `link_expires_at`; null: it was opened. */
    link_hash: text(),
    link_expires_at: instant(),
    /** The Idempotency-Key it came with. */
    created_by_op: uuid(),
    created_at: instant().notNull(),
    last_success_at: instant(),
    last_failure_at: instant(),
    /** For its owner: a status or a code, never the receiver's words. */
    last_failure_reason: text(),
    /** First failure since the last success; stays when five days of it have switched the channel off. */
    failing_since: instant(),
    /** Nothing is sent before: a process is sending something, or a pause is kept. */
    free_at: instant().notNull(),
  },
  (table) => [
    ownKey(table),
    index('alert_channels_links')
      .on(table.link_hash)
      .where(sql`${table.link_hash} IS NOT NULL`),
    index('alert_channels_owner').on(table.owner_id, table.created_at),
    uniqueIndex('alert_channels_email')
      .on(table.owner_id)
      .where(sql`${table.kind} = 'email'`),
    index('alert_channels_chat')
      .on(table.chat_id)
      .where(sql`${table.chat_id} IS NOT NULL`),
    check('alert_channels_webhook', sql`(${table.kind} = 'webhook') = (${table.url} IS NOT NULL)`),
  ],
)

/** One crossing for one channel; as `push_deliveries`. */
export const channel_deliveries = pgTable(
  'channel_deliveries',
  {
    id: uuid().notNull().defaultRandom(),
    owner_id: ownerOfDelivery(),
    event_id: uuid().notNull(),
    channel_id: uuid().notNull(),
    /** `queued`: a mail with it waits. `channel-off`: the channel was switched off, or ended, before it was sent. */
    outcome: text({ enum: ['waiting', 'queued', 'sent', 'undeliverable', 'too-late', 'unwanted', 'channel-off'] })
      .notNull()
      .default('waiting'),
    /** Tries that were begun. */
    attempts: integer().notNull().default(0),
    next_attempt_at: instant().notNull(),
    /** When there was nothing more to do. */
    ended_at: instant(),
    /** The message it is in, from its first try on: the id of one of the deliveries in that message, and of the mail. */
    batch: uuid(),
  },
  (table) => [
    ownKey(table),
    ofSameOwner(
      'channel_deliveries_event_fk',
      [table.event_id, table.owner_id],
      [alert_events.id, alert_events.owner_id],
    ),
    ofSameOwner(
      'channel_deliveries_channel_fk',
      [table.channel_id, table.owner_id],
      [alert_channels.id, alert_channels.owner_id],
    ),
    unique('channel_deliveries_event_channel').on(table.event_id, table.channel_id, table.owner_id),
    index('channel_deliveries_due')
      .on(table.next_attempt_at)
      .where(sql`${table.outcome} = 'waiting'`),
    index('channel_deliveries_channel').on(table.channel_id, table.batch),
    index('channel_deliveries_batch')
      .on(table.batch)
      .where(sql`${table.outcome} = 'queued'`),
    index('channel_deliveries_ended').on(table.ended_at),
    check('channel_deliveries_ended', sql`(${table.outcome} = 'waiting') = (${table.ended_at} IS NULL)`),
  ],
)
