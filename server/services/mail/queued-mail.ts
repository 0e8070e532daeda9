import { and, eq, isNotNull } from 'drizzle-orm'
import type { Mail } from '../../adapters/mail-transport'
import type { Orm, Queryable } from '../../db/open'
import { feedback, mail_requests, mail_tokens } from '../../db/schema/mail'
import { passkeys } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import type { Env } from '../../env'
import { coarseNetwork, requestOrigin } from '../../http/addresses'
import { findAccount, type UserAccount } from '../accounts/account'
import { alertMail } from '../channels/alert-mail'
import { hashOfSecret, newSecret } from '../secrets'
import {
  deletionScheduledTemplate,
  feedbackTemplate,
  LINK_LIFETIME,
  lockedOutTemplate,
  type MailTemplate,
  newDeviceTemplate,
  operatorsTemplate,
  passkeyAddedTemplate,
  passwordChangedTemplate,
  resetPasswordTemplate,
  sessionExpiredTemplate,
  sessionStolenTemplate,
  type SignInChange,
  signInChangedTemplate,
  templateAsHtml,
  templateAsText,
  verifyEmailTemplate,
  wayOffTemplate,
  deviceSilentTemplate,
} from './mail-templates'

/** A mail to be sent; its text is written when it goes out. */
type MailRequest =
  | {
      readonly kind:
        | 'verify-email'
        | 'reset-password'
        | 'password-changed'
        | 'deletion-scheduled'
        | 'alerts-test'
        | Exclude<SignInChange, 'google-alone'>
      /** The account that has this address by then; there may be none. */
      readonly email: string
    }
  | {
      readonly kind: 'locked-out' | 'new-device' | 'session-stolen' | 'session-expired' | 'way-off' | 'device-silent'
      readonly email: string
      /** Such as "Chrome on Android", or "the webhook at hooks.example"; null: unknown. */
      readonly device: string | null
    }
  | {
      readonly kind: 'passkey-added'
      readonly email: string
      readonly device: string | null
      /** Its id: the mail's link removes it. */
      readonly passkey: string
    }
  | { readonly kind: 'operators'; readonly email: string; readonly concerns: readonly string[] }
  | { readonly kind: 'feedback'; readonly feedbackId: string }

/** Mails with a link that anybody can have sent to an account: networks share how many go out. */
export const isLink = (kind: QueuedMail['kind']): kind is 'verify-email' | 'reset-password' =>
  kind === 'verify-email' || kind === 'reset-password'

/**
 * Puts a mail into the queue, in the transaction of the change behind it. It looks at no account, so that it takes the same
 * time whether or not there is one.
 */
export async function requestMail(tx: Queryable, request: MailRequest, now: number): Promise<void> {
  const at = new Date(now)
  const to = request.kind === 'feedback' ? { feedback_id: request.feedbackId } : { email: request.email }
  const about = {
    ...('device' in request && { device_label: request.device }),
    ...('concerns' in request && { device_label: request.concerns.join('\n') }),
    ...('passkey' in request && { passkey_id: request.passkey }),
  }
  const origin = isLink(request.kind) ? requestOrigin() : null
  const network = origin && coarseNetwork(origin.address)
  const asked_from = network && hashOfSecret(network)
  await tx
    .insert(mail_requests)
    .values({ kind: request.kind, ...to, ...about, asked_from, requested_at: at, next_attempt_at: at })
}

export type QueuedMail = typeof mail_requests.$inferSelect

type OfAlerts = 'alerts' | 'alerts-test'
/** Mails that the reader stops by the link in them. */
export const isOfAlerts = (kind: QueuedMail['kind']): kind is OfAlerts => kind === 'alerts' || kind === 'alerts-test'

/**
 * Writes a queued mail as things stand now; null when it is not to be sent: there is no such account, or its text no
 * longer holds. A link's token is made here, and the token of an earlier try ends.
 */
export async function writeMail(
  {
    env,
    database,
  }: { readonly env: Pick<Env, 'PUBLIC_URL' | 'SUPPORT_EMAIL'>; readonly database: { readonly orm: Orm } },
  request: QueuedMail,
  now: number,
): Promise<Mail | null> {
  return database.orm.transaction(async (tx) => {
    if (request.kind === 'feedback') return writeFeedback(tx, request, env.SUPPORT_EMAIL)
    const account = await findAccount(tx, request.email ?? '')
    if (account === undefined || !account.is_active) return null
    // To the account's own address, never to the one that was typed: two that count as the same may be two mailboxes.
    const { kind, id } = request
    if (isOfAlerts(kind)) {
      const isOpen = account.email_verified_at !== null && account.deletion_scheduled_at === null
      const mail = isOpen && (await alertMail(tx, account.id, kind === 'alerts' ? id : null, env.PUBLIC_URL, now))
      return mail ? { ...addressed(account.email, mail.template), unsubscribe: mail.unsubscribe } : null
    }
    const template = await templateOf(tx, { ...request, kind }, account, env.PUBLIC_URL, now)
    return template === null ? null : addressed(account.email, template)
  })
}

async function templateOf(
  tx: Queryable,
  {
    id,
    kind,
    device_label: label,
    passkey_id,
    requested_at,
  }: QueuedMail & { readonly kind: Exclude<QueuedMail['kind'], OfAlerts> },
  account: UserAccount,
  origin: string,
  now: number,
): Promise<MailTemplate | null> {
  const at = requested_at.getTime()
  // A stranger may have registered the address and be logged in: its reader gets no more than the links, which are counted.
  if (account.email_verified_at === null && !isLink(kind)) return null
  const token = (purpose: 'verify-email' | 'reset-password') =>
    issueToken(tx, { request_id: id, purpose, user_id: account.id }, now)
  switch (kind) {
    case 'verify-email':
      return account.email_verified_at === null ? verifyEmailTemplate(origin, await token(kind)) : null
    case 'reset-password':
      return resetPasswordTemplate(origin, await token(kind))
    case 'password-changed':
      return passwordChangedTemplate(origin)
    case 'google-linked':
      return signInChangedTemplate(origin, account.password_hash === null ? 'google-alone' : kind)
    case 'google-unlinked':
    case 'passkey-removed':
    case 'recovery-code-used':
      return signInChangedTemplate(origin, kind)
    case 'passkey-added': {
      const [passkey] = passkey_id === null ? [] : await tx.select().from(passkeys).where(eq(passkeys.id, passkey_id))
      const link = { request_id: id, purpose: 'remove-passkey', user_id: account.id, passkey_id } as const
      return passkeyAddedTemplate(origin, { label, at }, passkey?.name ?? null, await issueToken(tx, link, now))
    }
    case 'deletion-scheduled':
      if (account.deletion_scheduled_at === null) return null
      return deletionScheduledTemplate(origin, account.deletion_scheduled_at.getTime())
    case 'locked-out':
      return lockedOutTemplate(origin, at)
    case 'new-device':
      return newDeviceTemplate(origin, { label, at })
    case 'session-stolen':
      return sessionStolenTemplate(origin, { label, at })
    case 'session-expired':
      return sessionExpiredTemplate(origin, label)
    case 'way-off':
      return wayOffTemplate(origin, label ?? 'one of your ways')
    case 'device-silent':
      return deviceSilentTemplate(origin, label)
    case 'operators':
      return account.is_superuser ? operatorsTemplate(origin, label ?? '') : null
    case 'feedback':
      return null
  }
}

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
    // Support answers nobody who has perhaps not written.
    .leftJoin(users, and(eq(users.id, feedback.user_id), isNotNull(users.email_verified_at)))
    .where(eq(feedback.id, feedback_id))
  return row === undefined ? null : addressed(support, feedbackTemplate(row.message, row.from), row.from ?? undefined)
}

async function issueToken(
  tx: Queryable,
  link: Pick<typeof mail_tokens.$inferInsert, 'request_id' | 'purpose' | 'user_id' | 'passkey_id'>,
  now: number,
): Promise<string> {
  const token = newSecret()
  const fresh = { token_hash: hashOfSecret(token), expires_at: new Date(now + LINK_LIFETIME[link.purpose]) }
  await tx
    .insert(mail_tokens)
    .values({ ...fresh, ...link })
    .onConflictDoUpdate({ target: mail_tokens.request_id, set: fresh })
  return token
}
