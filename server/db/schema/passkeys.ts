import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from './columns'
import { sessions } from './sessions'
import { users } from './users'

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
    created_at: instant().notNull(),
    last_used_at: instant(),
  },
  (table) => [index('passkeys_user').on(table.user_id)],
)

/** One-time codes for owners who have lost every passkey, hashed. */
export const recovery_codes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 (base64url) of the owner's id and 100 random bits. */
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
