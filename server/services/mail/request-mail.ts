import type { Queryable } from '../../db/open'
import { mail_requests } from '../../db/schema/mail'
import type { SignInChange } from './mail-templates'

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
