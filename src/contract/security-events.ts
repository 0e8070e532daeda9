import * as z from 'zod/mini'
import { MAX_SECURITY_EVENTS, SECURITY_EVENTS_PAGE } from '../domain/account'
import type { Route } from './route'
import { isoTime, pageQuery } from './scalars'

/** Events of an account that its user should recognise. Kinds are stored: they may be added, never renamed. */
export const SECURITY_EVENTS = [
  'signed-in-password',
  'signed-in-google',
  /** A passkey beside the password or Google. */
  'signed-in-passkey',
  'signed-in-recovery-code',
  /** The password or Google was right; the passkey or recovery code was not. */
  'second-factor-failed',
  'passkey-added',
  'passkey-removed',
  'passkeys-removed-by-operator',
  'recovery-codes-renewed',
  'password-changed',
  /** By the link of a mail; it ends every session. */
  'password-reset',
  'google-linked',
  /** The reader of the mailbox came by Google, and the password may have been a stranger's: it is gone, with all sessions. */
  'google-alone',
  'google-unlinked',
  'email-verified',
  'logged-out',
  /** One session, from another. */
  'session-ended',
  'other-sessions-ended',
  'sessions-ended-by-operator',
  /** By the link of the mail that told of a new passkey. */
  'sessions-ended-by-mail',
  /** Its refresh token came back after another client had gone on with it. */
  'session-stolen',
  'deletion-scheduled',
  'deletion-cancelled',
  'superuser-appointed',
  'superuser-dismissed',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number]

/** An event of the account, and the browser that caused it. */
export const securityEvent = z.object({
  id: z.uuid(),
  at: isoTime,
  /** `other`: an event of a newer version. */
  kind: z.catch(z.enum([...SECURITY_EVENTS, 'other']), 'other'),
  /** A passkey's name, or the browser whose session was ended; null: nothing to name. */
  about: z.nullable(z.string()),
  /** Such as "Chrome on Android"; null: unknown, or not the user's own browser. */
  browser: z.nullable(z.string()),
  /** The network of its address, such as "203.0.113.0/24", never the address itself; null as above. */
  network: z.nullable(z.string()),
})
export type SecurityEvent = z.infer<typeof securityEvent>

export const securityEventRoutes = {
  securityEvents: {
    method: 'GET',
    path: '/users/me/security-events',
    identity: 'user',
    summary: 'What happened to the security of the account in the last 90 days, newest first, a page at a time',
    query: z.strictObject(pageQuery(SECURITY_EVENTS_PAGE, MAX_SECURITY_EVENTS)),
    counted: true,
    answer: z.array(securityEvent),
  },
} as const satisfies Record<string, Route>
