import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from './columns'
import { passkeys } from './sessions'
import { owners, users } from './users'

/** Feedback of users; a mail to support goes out with each. */
export const feedback = pgTable(
  'feedback',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The user who wrote it; null: a guest did. It is removed with the account. */
    user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The guest who wrote it, and with whom it is removed; null in rows of earlier releases, which noted none. */
    guest_id: uuid().references(() => owners.id, { onDelete: 'cascade' }),
    message: text().notNull(),
    /** The Idempotency-Key it came with: sent again, it is not kept twice. */
    created_by_op: uuid().unique(),
    created_at: instant().notNull(),
  },
  (table) => [
    index('feedback_user').on(table.user_id),
    index('feedback_guest').on(table.guest_id),
    index('feedback_age').on(table.created_at),
  ],
)

/** Tries after which a mail that waits is looked at by the job that watches mails. */
export const STUCK_ATTEMPTS = 3

/**
 * Mails to send. A row names the address and the reason, not the account: a request for a link is answered before the server
 * looks for the account. Rows go when the mail was handed over, or is not wanted any more.
 */
export const mail_requests = pgTable(
  'mail_requests',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({
      enum: [
        'verify-email',
        'reset-password',
        'password-changed',
        'deletion-scheduled',
        'locked-out',
        'new-device',
        'session-stolen',
        'session-expired',
        'google-linked',
        'google-unlinked',
        'passkey-added',
        'passkey-removed',
        'recovery-code-used',
        'alerts',
        'alerts-test',
        'way-off',
        'device-silent',
        'operators',
        'feedback',
      ],
    }).notNull(),
    /** As it was typed; null where the mail is for support. */
    email: text(),
    /** Which device the mail tells of, such as "Chrome on Android", which way of alerts, or which concerns; null: unknown, or none. */
    device_label: text(),
    feedback_id: uuid().references(() => feedback.id, { onDelete: 'cascade' }),
    /** The passkey that the mail tells of; null: none, or it is gone. */
    passkey_id: uuid().references(() => passkeys.id, { onDelete: 'set null' }),
    /** SHA-256 of the coarse network that asked for a link, which shares them with all others; null: another mail. */
    asked_from: text(),
    requested_at: instant().notNull(),
    /** Tries that were begun. */
    attempts: integer().notNull().default(0),
    /** Also how a process claims a try: it moves this forward by longer than a try can take. */
    next_attempt_at: instant().notNull(),
  },
  (table) => [
    index('mail_requests_due').on(table.next_attempt_at),
    index('mail_requests_passkey').on(table.passkey_id),
    index('mail_requests_stuck')
      .on(table.requested_at)
      .where(sql`${table.attempts} >= ${sql.raw(`${STUCK_ATTEMPTS}`)}`),
    check(
      'mail_requests_recipient',
      sql`(${table.kind} = 'feedback') = (${table.feedback_id} IS NOT NULL) AND (${table.kind} = 'feedback') = (${table.email} IS NULL)`,
    ),
  ],
)

/** The tokens of links in mails, hashed: a reader of this table can follow none of them. */
export const mail_tokens = pgTable(
  'mail_tokens',
  {
    /** SHA-256 (base64url) of 256 random bits. */
    token_hash: text().primaryKey(),
    purpose: text({ enum: ['verify-email', 'reset-password', 'remove-passkey'] }).notNull(),
    user_id: belongsTo(() => users.id),
    /** The passkey that the link removes; null: it is gone already, or the link's purpose is another. */
    passkey_id: uuid().references(() => passkeys.id, { onDelete: 'set null' }),
    /** The mail with this token: another try of that mail makes another token, and this one worthless. */
    request_id: uuid().notNull().unique(),
    expires_at: instant().notNull(),
    /**
     * Its address was verified, by this link or otherwise: the link verifies no more, and says so until its time is over.
     * Null: it can be followed. Links of the other purposes are deleted instead.
     */
    used_at: instant(),
  },
  (table) => [
    index('mail_tokens_user').on(table.user_id),
    index('mail_tokens_passkey').on(table.passkey_id),
    index('mail_tokens_expiring').on(table.expires_at),
  ],
)
