import { eq } from 'drizzle-orm'
import type { Mail } from '../../adapters/mail-transport'
import type { Orm, Queryable } from '../../db/open'
import { feedback, mail_requests, mail_tokens } from '../../db/schema/mail'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { findAccount, type UserAccount } from '../accounts/account'
import { hashOfSecret, newSecret } from '../secrets'
import { type MailTemplate, templateAsHtml, templateAsText } from './mail-template'
import {
  deletionScheduledTemplate,
  feedbackTemplate,
  LINK_LIFETIME,
  lockedOutTemplate,
  newDeviceTemplate,
  passwordChangedTemplate,
  resetPasswordTemplate,
  sessionExpiredTemplate,
  sessionStolenTemplate,
  type SignInChange,
  signInChangedTemplate,
  verifyEmailTemplate,
} from './mail-templates'

/** A mail that somebody wishes for; what it says is settled when it goes out. */
export type MailRequest =
  | {
      readonly kind: 'verify-email' | 'reset-password' | 'password-changed' | 'deletion-scheduled' | SignInChange
      /** The account that has this address by then; there may be none. */
      readonly email: string
    }
  | {
      readonly kind: 'locked-out' | 'new-device' | 'session-stolen' | 'session-expired'
      readonly email: string
      /** Such as "Chrome on Android"; null: unknown. */
      readonly device: string | null
    }
  | { readonly kind: 'feedback'; readonly feedbackId: string }

/**
 * Puts a mail into the queue; part of the transaction that gives reason for it. It looks at no account, so that it takes
 * the same time whether or not there is one.
 * @param now milliseconds since 1970
 */
export async function requestMail(tx: Queryable, request: MailRequest, now: number): Promise<void> {
  const at = new Date(now)
  const to = request.kind === 'feedback' ? { feedback_id: request.feedbackId } : { email: request.email }
  const about = 'device' in request ? { device_label: request.device } : {}
  await tx.insert(mail_requests).values({ kind: request.kind, ...to, ...about, requested_at: at, next_attempt_at: at })
}

export type QueuedMail = typeof mail_requests.$inferSelect

interface WriteMailDeps {
  readonly env: Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>
  readonly database: { readonly orm: Orm }
}

/**
 * Writes the mail that is wished for, as things stand now; null when nobody is to get it: there is no such account, or
 * what it would say no longer holds. A link's token is made here, and the one of an earlier try ends.
 * @param now milliseconds since 1970
 */
export async function writeMail(
  { env, database }: WriteMailDeps,
  request: QueuedMail,
  now: number,
): Promise<Mail | null> {
  const { PUBLIC_URL: origin } = env
  return database.orm.transaction(async (tx) => {
    if (request.kind === 'feedback') return writeFeedback(tx, request, env.SUPPORT_EMAIL)
    const account = await findAccount(tx, request.email ?? '')
    if (account === undefined || !account.is_active) return null
    const { kind } = request
    const facts = { label: request.device_label, at: request.requested_at.getTime() }
    switch (kind) {
      case 'verify-email':
        if (account.email_verified_at !== null) return null
        return toAccount(account, verifyEmailTemplate(origin, await issueToken(tx, request.id, kind, account.id, now)))
      case 'reset-password':
        return toAccount(
          account,
          resetPasswordTemplate(origin, await issueToken(tx, request.id, kind, account.id, now)),
        )
      case 'password-changed':
        return toAccount(account, passwordChangedTemplate(origin))
      case 'google-linked':
      case 'google-unlinked':
      case 'passkey-added':
      case 'passkey-removed':
      case 'recovery-code-used':
        return toAccount(account, signInChangedTemplate(origin, kind))
      case 'deletion-scheduled':
        if (account.deletion_scheduled_at === null) return null
        return toAccount(account, deletionScheduledTemplate(origin, account.deletion_scheduled_at.getTime()))
      case 'locked-out':
        // No user can log in to an account before its address is verified: there is nothing to guess.
        return account.email_verified_at === null ? null : toAccount(account, lockedOutTemplate(origin, facts.at))
      case 'new-device':
        return toAccount(account, newDeviceTemplate(origin, facts))
      case 'session-stolen':
        return toAccount(account, sessionStolenTemplate(origin, facts))
      case 'session-expired':
        return toAccount(account, sessionExpiredTemplate(origin, facts))
    }
  })
}

/**
 * To the address of the account, never to the one that was typed: two that count as the same need not be the same
 * mailbox.
 */
const toAccount = ({ email }: UserAccount, template: MailTemplate): Mail => addressed(email, template)

const addressed = (to: string, template: MailTemplate, replyTo?: string): Mail => ({
  to,
  replyTo,
  subject: template.subject,
  text: templateAsText(template),
  html: templateAsHtml(template),
})

async function writeFeedback(tx: Queryable, { feedback_id }: QueuedMail, support: string): Promise<Mail | null> {
  if (feedback_id === null) return null
  const [row] = await tx
    .select({ message: feedback.message, from: users.email })
    .from(feedback)
    .leftJoin(users, eq(users.id, feedback.user_id))
    .where(eq(feedback.id, feedback_id))
  return row === undefined ? null : addressed(support, feedbackTemplate(row.message, row.from), row.from ?? undefined)
}

async function issueToken(
  tx: Queryable,
  request_id: string,
  purpose: keyof typeof LINK_LIFETIME,
  user_id: string,
  now: number,
): Promise<string> {
  const token = newSecret()
  const fresh = { token_hash: hashOfSecret(token), expires_at: new Date(now + LINK_LIFETIME[purpose]) }
  await tx
    .insert(mail_tokens)
    .values({ ...fresh, purpose, user_id, request_id })
    .onConflictDoUpdate({ target: mail_tokens.request_id, set: fresh })
  return token
}
