import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
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

/** A sign-in, and the family of refresh tokens that came of it. One that has ended is gone. */
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
    /** True: its client names each attempt to refresh, so that another client is noticed at once. */
    names_attempts: boolean().notNull().default(false),
    /** When its user last showed who they are: at the sign-in or by a confirmation, never by a refresh. Null: long ago. */
    authenticated_at: instant(),
  },
  (table) => [index('sessions_user').on(table.user_id), index('sessions_device').on(table.device_id)],
)

/**
 * Refresh tokens, hashed. A used one is kept until its own time is over, and for a while after its session, so that its
 * return is noticed: a thief who has used a copy may end the session.
 */
export const refresh_tokens = pgTable(
  'refresh_tokens',
  {
    /** SHA-256 (base64url) of 256 bits. */
    token_hash: text().primaryKey(),
    /** Without a session of this id the token is good for nothing. */
    session_id: uuid().notNull(),
    /** Null: given by an earlier version of the server. */
    user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of the token in whose place it was given. */
    succeeds: text(),
    expires_at: instant().notNull(),
    /** When it was first presented, and so rotated. */
    used_at: instant(),
    /** Name of the attempt that presented it first; null: the client gave none. */
    attempt: uuid(),
    /** When an access token that was given with it was first presented: the client has received both. */
    seen_at: instant(),
    /** When it was first presented again although its successor had been seen. */
    returned_at: instant(),
  },
  (table) => [
    index('refresh_tokens_session').on(table.session_id),
    index('refresh_tokens_user').on(table.user_id),
    index('refresh_tokens_succeeds').on(table.succeeds),
    index('refresh_tokens_expiring').on(table.expires_at),
  ],
)

const ofUser = () => belongsTo(() => users.id)

/** WebAuthn credentials. An account that has any signs in with one of them besides its password or Google. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: ofUser(),
    /** The authenticator's name for it, base64url. */
    credential_id: text().notNull().unique(),
    /** COSE key (RFC 9052), base64url. */
    public_key: text().notNull(),
    /** The authenticator's signature counter; 0 where the authenticator counts nothing. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** Hints for the browser, such as `internal` or `usb`. */
    transports: text().array().notNull(),
    name: text().notNull(),
    /** True: it needs no password or Google account beside it, since it asks who its user is. Set where the account has neither. */
    opens_alone: boolean().notNull().default(false),
    created_at: instant().notNull(),
    last_used_at: instant(),
  },
  (table) => [index('passkeys_user').on(table.user_id)],
)

/** One-time codes for owners who have lost every passkey, hashed. */
export const recovery_codes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 (base64url) of the owner's id and 125 random bits; of codes of earlier versions 100. */
    code_hash: text().primaryKey(),
    user_id: ofUser(),
  },
  (table) => [index('recovery_codes_user').on(table.user_id)],
)

/** Challenges that a browser has yet to answer. Each is good for one answer, one purpose and five minutes. */
export const passkey_challenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 (base64url) of the ticket that the client holds. */
    ticket_hash: text().primaryKey(),
    purpose: text({ enum: ['add', 'confirm', 'sign-in'] }).notNull(),
    user_id: ofUser(),
    /** The session that asked; null for a sign-in, which has none yet. */
    session_id: uuid().references(() => sessions.id, { onDelete: 'cascade' }),
    /** Of a sign-in: the password or Google account that was shown. Another one by now ends the sign-in. */
    first_factor: text(),
    challenge: text().notNull(),
    expires_at: instant().notNull(),
  },
  (table) => [
    index('passkey_challenges_user').on(table.user_id),
    index('passkey_challenges_session').on(table.session_id),
    index('passkey_challenges_expiring').on(table.expires_at),
    check(
      'passkey_challenges_bound',
      sql`(${table.purpose} = 'sign-in') = (${table.session_id} IS NULL) AND (${table.purpose} = 'sign-in') = (${table.first_factor} IS NOT NULL)`,
    ),
  ],
)

/** How often a network asked for what is costly, over all processes; one row a network, kind of request and period. */
export const address_counts = pgTable(
  'address_counts',
  {
    /** Kind of request, and the SHA-256 of the network: the table is no list of addresses. */
    key: text().primaryKey(),
    count: integer().notNull(),
    /** When counting begins anew. Milliseconds since 1970. */
    ends_at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [index('address_counts_ends_at').on(table.ends_at)],
)

/** Attempts that are limited by account, as a log of each account's latest attempts: shared by all processes. */
export const attempts = pgTable(
  'attempts',
  {
    /** The kind of attempt and the SHA-256 of its account: the table is no list of addresses. */
    key: text().primaryKey(),
    /** Milliseconds since 1970, oldest first, no more than may be made. */
    at: bigint({ mode: 'number' }).array().notNull(),
    /** When the latest of them no longer counts. */
    forget_at: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [index('attempts_forget').on(table.forget_at)],
)
