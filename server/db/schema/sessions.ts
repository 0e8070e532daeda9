import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from './columns'
import { users } from './users'

/** Browsers that have signed in to an account. Wrong passwords from one are counted apart from those of strangers. */
export const known_devices = pgTable(
  'known_devices',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: belongsTo(() => users.id),
    /** SHA-256 (base64url) of 256 random bits that the browser keeps, over logouts as well. */
    token_hash: text().notNull(),
    created_at: instant().notNull(),
    /** Time of the last sign-in. */
    seen_at: instant().notNull(),
  },
  (table) => [
    unique('known_devices_user_token').on(table.user_id, table.token_hash),
    index('known_devices_seen').on(table.seen_at),
  ],
)

/** A sign-in, and the family of refresh tokens that came of it. One that has ended is gone, and its tokens with it. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: belongsTo(() => users.id),
    created_at: instant().notNull(),
    /** Time of the last refresh; null: none yet. */
    refreshed_at: instant(),
    /** Such as "Chrome on Android", from the User-Agent of the sign-in or the last refresh; null: unknown. */
    device_label: text(),
    /** Null: the user has logged that device out since, or the session is older than this column. */
    device_id: uuid().references(() => known_devices.id, { onDelete: 'set null' }),
    /** When its user last showed who they are: at the sign-in or by a confirmation, never by a refresh. Null: long ago. */
    authenticated_at: instant(),
  },
  (table) => [index('sessions_user').on(table.user_id), index('sessions_device').on(table.device_id)],
)

/** Refresh tokens, hashed. A used one is kept until its own time is over, so that its return is noticed. */
export const refresh_tokens = pgTable(
  'refresh_tokens',
  {
    /** SHA-256 (base64url) of 256 bits. */
    token_hash: text().primaryKey(),
    session_id: belongsTo(() => sessions.id),
    /** The hash of the token in whose place it was given. */
    succeeds: text(),
    expires_at: instant().notNull(),
    /** When it was first presented, and so rotated. */
    used_at: instant(),
    /** When an access token that was given with it was first presented: the client has received both. */
    seen_at: instant(),
    /** When it was first presented again although its successor had been seen. */
    returned_at: instant(),
  },
  (table) => [
    index('refresh_tokens_session').on(table.session_id),
    index('refresh_tokens_succeeds').on(table.succeeds),
    index('refresh_tokens_expiring').on(table.expires_at),
  ],
)
