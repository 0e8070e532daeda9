import * as z from 'zod'
import { ALERT_SIDES } from '../domain/alerts'
import { AUDITED_ACTIONS } from './admin'
import { subscription } from './billing'
import type { Route } from './routes'
import { user } from './session'
import { widget } from './widget'

const time = z.string()
const count = z.int().min(0)

/** All rows that the server has of its caller, without hashes and keys. Times are ISO 8601. */
const myData = z.object({
  made_at: time,
  kind: z.enum(['guest', 'user']),
  /** When the server first stored something of the caller; null: it has nothing. */
  since: time.nullable(),
  /** The day on which a guest was last seen; null for users. */
  last_seen: z.string().nullable(),
  /** Null for guests. */
  account: user
    .extend({
      email_verified_at: time.nullable(),
      last_login_at: time.nullable(),
      /** The number by which Google names the account; null: it is not linked. */
      google_account: z.string().nullable(),
      /** The number by which the payment provider names the customer; null: nothing was ever bought. */
      payment_customer: z.string().nullable(),
    })
    .nullable(),
  widgets: z.array(widget),
  /** Newest first. */
  alerts: z.array(
    z.object({
      widget_id: z.string(),
      coin_a_id: z.string(),
      coin_b_id: z.string(),
      side: z.enum(ALERT_SIDES),
      ratio: z.number(),
      threshold: z.number(),
      crossed_at: time,
      /** When the ratio came back; null: not yet, or the owner armed the side again. */
      back_at: time.nullable(),
      /** Whether browsers were to be told, or why not. */
      delivery: z.string(),
      /** Outcome of the message to each browser. */
      messages: z.array(z.object({ outcome: z.string(), attempts: count, ended_at: time.nullable() })),
    }),
  ),
  /** Older alerts that the file leaves out. */
  alerts_left_out: count,
  push_devices: z.array(
    z.object({
      /** The host of the address at which the browser is reached. */
      push_service: z.string(),
      subscribed_at: time,
      expires_at: time.nullable(),
      refused_at: time.nullable(),
    }),
  ),
  sessions: z.array(z.object({ device: z.string().nullable(), created_at: time, refreshed_at: time.nullable() })),
  known_devices: z.array(z.object({ first_login_at: time, last_login_at: time })),
  passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time.nullable() })),
  /** How many are left for logging in without a passkey. */
  recovery_codes: count,
  feedback: z.array(z.object({ message: z.string(), created_at: time })),
  subscriptions: z.array(subscription),
  /** Actions of operators on the account; the operator's address is not the caller's data. */
  audit_entries: z.array(
    z.object({
      at: time,
      action: z.enum(AUDITED_ACTIONS),
      by: z.enum(['operator', 'configuration']),
      details: z.string().nullable(),
    }),
  ),
  /** Mails that are still to go out, and links in mails that still work. */
  mails_waiting: z.array(z.object({ kind: z.string(), requested_at: time })),
  links_open: z.array(z.object({ purpose: z.string(), expires_at: time })),
  /** Identifiers by which a repeated request is recognised: how many there are. */
  request_keys: count,
})
export type MyData = z.infer<typeof myData>

/** Having one's data as a file, and deleting it without an account. */
export const myDataRoutes = {
  myData: {
    method: 'GET',
    path: '/me/data',
    identity: 'any',
    summary: 'Everything that the server has of the caller, but for hashes and keys; five times an hour',
    status: 200,
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
