import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  type PgColumn,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { AUDITED_ACTIONS } from '../../../src/contract/admin'
import { instant } from './columns'

/** A user or guest with widgets. A change locks the owner's row, so that one owner's changes happen one after the other. */
export const owners = pgTable(
  'owners',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: ['guest', 'user'] }).notNull(),
    /** SHA-256 of a guest's anonymous id (base64url): knowing the id is owning the widgets, so it is not stored. */
    anonymous_hash: text().unique(),
    created_at: instant().notNull(),
    /** The day (UTC) on which a guest's browser last asked for pairs or changed one; null for users. */
    last_seen: date({ mode: 'string' }).default(sql`(now() AT TIME ZONE 'UTC')::date`),
  },
  (table) => [
    index('owners_guests_seen')
      .on(table.last_seen)
      .where(sql`${table.kind} = 'guest'`),
    // The accounts as operators list them, and how many there are.
    index('owners_users_made')
      .on(table.created_at.desc().nullsFirst(), table.id)
      .where(sql`${table.kind} = 'user'`),
    check('owners_kind', sql`${table.kind} IN ('guest', 'user')`),
    check('owners_guest_has_hash', sql`(${table.kind} = 'guest') = (${table.anonymous_hash} IS NOT NULL)`),
  ],
)

/**
 * Revisions of an owner's data, milliseconds since 1970 at the change or one more than before: they only rise, also over a
 * restored backup. A transaction takes this row last, those of several owners in the order of their ids: the owner's own row
 * is locked first, and a price update, which locks widgets, may not wait for it (decision 0049).
 */
export const owner_revisions = pgTable(
  'owner_revisions',
  {
    owner_id: uuid()
      .primaryKey()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** Of widgets and checkpoints. */
    widgets: bigint({ mode: 'number' }).notNull().default(0),
    /** Of the account: its data, tier and sessions. */
    account: bigint({ mode: 'number' }).notNull().default(0),
    /** Id of the transaction that last wrote the row; a trigger writes it, whoever that was. 0: none since there is this column. */
    changed_in: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    // Read by processes with open streams: whose revisions have risen of late.
    index('owner_revisions_changed')
      .on(table.changed_in)
      .where(sql`${table.changed_in} > 0`),
  ],
)

/** The spelling by which an address is found. Of ASCII alone, as addresses are: a database in Turkish has its own small i. */
export const normalEmailOf = (email: PgColumn): SQL => sql`lower(${email} COLLATE "C")`

/** The account of an owner of kind `user`. */
export const users = pgTable(
  'users',
  {
    /** The owner's own id. */
    id: uuid()
      .primaryKey()
      .references(() => owners.id, { onDelete: 'cascade' }),
    /** As its owner wrote it; no two differ in capitals alone. */
    email: text().notNull(),
    /** Null until somebody who reads that mailbox has said so; without it nobody signs in. */
    email_verified_at: instant(),
    /** argon2id in PHC format; null where the account signs in with Google alone. */
    password_hash: text(),
    /**
     * The password was chosen or entered by somebody who could read the mailbox: with a reset, or at the verification.
     * Without a password: the user signed in with a Google account that runs the mailbox. False in rows that an earlier
     * version verified by the link alone, or made for a Google account.
     */
    password_proven: boolean().notNull().default(false),
    /**
     * The reader of the mailbox chose the password: in the browser that registered, or with a reset. Without a password: as
     * above. A password that was only entered beside a link may be a stranger's, who registered the address. ADMIN_EMAILS
     * gives rights to no other account (decision 0111). False in rows of earlier versions, which did not tell these apart.
     */
    owner_proven: boolean().notNull().default(false),
    /** SHA-256 (base64url) of the secret that the registration was answered with; null once the address is verified. */
    registration_hash: text(),
    /** `sub` of Google's ID tokens, once the account has been linked. */
    google_subject: text(),
    /**
     * When somebody who was signed in linked that Google account; null: it runs the mailbox, so that nobody but the
     * account's owner can have linked it, or was linked before this column was there.
     */
    google_added_at: instant(),
    /** Which limits hold. A change of this holds the owner's row, and brings `is_active` of the widgets into line. */
    has_premium_access: boolean().notNull().default(false),
    is_superuser: boolean().notNull().default(false),
    /** False: an operator has disabled the account. */
    is_active: boolean().notNull().default(true),
    accepted_terms_version: text(),
    accepted_terms_at: instant(),
    accepted_privacy_version: text(),
    accepted_privacy_at: instant(),
    /** When its deletion was asked for; null once signing in has cancelled that. */
    deletion_scheduled_at: instant(),
    last_login_at: instant(),
  },
  (table) => [
    // Partial: a key that others could refer to is written under a lock that all their references to the user wait for.
    uniqueIndex('users_google_subject')
      .on(table.google_subject)
      .where(sql`${table.google_subject} IS NOT NULL`),
    uniqueIndex('users_email').on(normalEmailOf(table.email)),
    // An operator's search: all parts of two and three characters, so that any part of an address is found.
    index('users_email_parts').using('gin', sql`email_parts(${normalEmailOf(table.email)})`),
    // Tells the catalogue how many they are.
    index('users_premium')
      .on(table.id)
      .where(sql`${table.has_premium_access}`),
    index('users_deletion')
      .on(table.deletion_scheduled_at)
      .where(sql`${table.deletion_scheduled_at} IS NOT NULL`),
    index('users_unverified')
      .on(table.id)
      .where(sql`${table.email_verified_at} IS NULL`),
  ],
)

/** Actions of operators. Addresses are kept as they were: the entry outlives both accounts. */
export const audit_log = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey().defaultRandom(),
    at: instant().notNull(),
    /** Null: the configuration or the command line, or an account that is gone. */
    actor_id: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** Null: the configuration or the command line. */
    actor_email: text(),
    action: text({ enum: AUDITED_ACTIONS }).notNull(),
    target_id: uuid().references(() => users.id, { onDelete: 'set null' }),
    target_email: text().notNull(),
    details: text(),
  },
  (table) => [
    index('audit_log_at').on(table.at),
    index('audit_log_target').on(table.target_id, table.at),
    index('audit_log_actor').on(table.actor_id),
    check(
      'audit_log_action',
      sql`${table.action} IN ('grant-premium', 'revoke-premium', 'end-sessions', 'appoint-superuser', 'dismiss-superuser')`,
    ),
  ],
)
