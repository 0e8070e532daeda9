import * as z from 'zod/mini'
import { ALERT_SIDES } from '../domain/alerts'
import { alertSettings } from './alerts'
import { subscription } from './billing'
import type { Route } from './route'
import { count } from './scalars'
import { securityEvent } from './security-events'
import { user } from './session'
import { widget } from './widget'

const time = z.string()

/** All rows that the server has of the caller, without hashes and keys. Times are ISO 8601. */
const myData = z.object({
  made_at: time,
  kind: z.enum(['guest', 'user']),
  /** Time of the caller's first row; null: there is none. */
  since: z.nullable(time),
  /** The day on which a guest was last seen; null for users. */
  last_seen: z.nullable(z.string()),
  /** Null for guests. */
  account: z.nullable(
    z.extend(user, {
      email_verified_at: z.nullable(time),
      last_login_at: z.nullable(time),
      /** Google's id of the account; null: not linked. */
      google_account: z.nullable(z.string()),
      /** When the user linked it in Settings; null: not linked there, or before this was noted. */
      google_added_at: z.optional(z.nullable(time)),
      /** The payment provider's id of the customer; null: nothing was ever bought. */
      payment_customer: z.nullable(z.string()),
    }),
  ),
  widgets: z.array(widget),
  /** Newest first. */
  alerts: z.array(
    z.object({
      widget_id: z.string(),
      coin_a_id: z.string(),
      coin_b_id: z.string(),
      side: z.enum(ALERT_SIDES),
      /** As in the list of alerts; absent: a threshold's. */
      kind: z.optional(z.string()),
      measure: z.optional(z.number()),
      days: z.optional(z.number()),
      rule: z.optional(z.string()),
      level: z.optional(z.number()),
      window: z.optional(z.union([z.string(), z.number()])),
      loudness: z.optional(z.string()),
      note: z.optional(z.string()),
      ratio: z.number(),
      threshold: z.number(),
      crossed_at: time,
      /** When the ratio came back; null: not yet, or the owner armed the side again. */
      back_at: z.nullable(time),
      /** The server's decision on notifying browsers, or the reason against it. */
      delivery: z.string(),
      messages: z.array(z.object({ outcome: z.string(), attempts: count, ended_at: z.nullable(time) })),
    }),
  ),
  /** Absent in answers of older servers. */
  alert_settings: z.optional(alertSettings),
  /** Older alerts that the file leaves out. */
  alerts_left_out: count,
  push_devices: z.array(
    z.object({
      /** Host of the push endpoint. */
      push_service: z.string(),
      subscribed_at: time,
      expires_at: z.nullable(time),
      refused_at: z.nullable(time),
    }),
  ),
  /** Ways to be told of alerts beside web push. Absent in answers of older servers. */
  alert_channels: z.optional(
    z.array(
      z.object({
        kind: z.string(),
        /** Host of a webhook, or name of a chat. */
        name: z.nullable(z.string()),
        url: z.nullable(z.string()),
        state: z.string(),
        created_at: time,
        last_success_at: z.nullable(time),
        last_failure_at: z.nullable(time),
      }),
    ),
  ),
  sessions: z.array(z.object({ device: z.nullable(z.string()), created_at: time, refreshed_at: z.nullable(time) })),
  known_devices: z.array(z.object({ first_login_at: time, last_login_at: time })),
  passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: z.nullable(time) })),
  /** Unused codes for logging in without a passkey. */
  recovery_codes: count,
  /** Newest first, 90 days. Absent in answers of older servers. */
  security_events: z.optional(z.array(z.omit(securityEvent, { id: true }))),
  feedback: z.array(z.object({ message: z.string(), created_at: time })),
  subscriptions: z.array(subscription),
  /** Actions of operators on the account; the operator's address is not the caller's data. */
  audit_entries: z.array(
    z.object({
      at: time,
      /** As `AuditEntry`. */
      action: z.string(),
      by: z.enum(['operator', 'configuration']),
      details: z.nullable(z.string()),
    }),
  ),
  /** Mails still to send, and links in mails that still work. */
  mails_waiting: z.array(z.object({ kind: z.string(), requested_at: time })),
  links_open: z.array(z.object({ purpose: z.string(), expires_at: time })),
  /** Number of idempotency keys. */
  request_keys: count,
})
export type MyData = z.infer<typeof myData>

/** Having one's data as a file, and deleting it without an account. */
export const myDataRoutes = {
  myData: {
    method: 'GET',
    path: '/me/data',
    identity: 'any',
    summary:
      'Everything that the server has of the caller, but for hashes and keys; five times an hour, and with a fresh login where the account has passkeys',
    answer: myData,
  },
  deleteMyData: {
    method: 'DELETE',
    path: '/me/data',
    identity: 'guest',
    summary: 'Removes a guest and everything of theirs; accounts are deleted by /users/me',
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>
