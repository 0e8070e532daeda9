import * as z from 'zod/mini'
import { ALERT_SIDES } from '../domain/alerts'
import { isTimeZone } from '../domain/quiet-hours'
import { RULE_LOUDNESSES } from '../domain/rule-kinds'
import type { Route } from './route'
import { coinId, isoTime, pageQuery, positive, widgetId } from './scalars'

/** A browser's push subscription (PushSubscription.toJSON, W3C Push API); the keys are base64url (RFC 8291). */
const pushSubscription = z.strictObject({
  endpoint: z.url().check(z.maxLength(2048)),
  /** Milliseconds since 1970, before the year 2100; null: none. */
  expirationTime: z.nullable(z.number().check(z.minimum(1), z.lt(Date.UTC(2100)))),
  keys: z.strictObject({
    /** An uncompressed point of P-256: 65 bytes. */
    p256dh: z.string().check(z.regex(/^[A-Za-z0-9_-]{87}=?$/)),
    /** 16 bytes. */
    auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}(==)?$/)),
  }),
})
export type PushSubscriptionBody = z.infer<typeof pushSubscription>

const kindName = z.string().check(z.regex(/^[a-z_]{1,40}$/))
const pushBody = z.extend(pushSubscription, {
  /** Kinds that its service worker can show besides those of thresholds; sent to servers with `alert_features` alone. */
  kinds: z.optional(z.array(kindName).check(z.maxLength(40))),
  /** True: takes pushes in the declarative shape, and confirms what it showed; sent where `alert_features` has `receipts`. */
  receipts: z.optional(z.boolean()),
})
export type PushBody = z.infer<typeof pushBody>

/** Payload of a push, encrypted to its device. */
export const alertMessage = z.object({
  type: z.literal('alert'),
  /** `alertEventId` of a rule; the same crossing has the same id everywhere. */
  event_id: z.string(),
  /** SHA-256 (base64url) of the anonymous id or of the user's id. */
  owner: z.string(),
  widget_id: widgetId,
  coin_a_id: coinId,
  coin_b_id: coinId,
  /** Such as `BTC / ETH`. */
  pair: z.string(),
  side: z.enum(ALERT_SIDES),
  /** One of EXTREME_KINDS, or of a newer server's; absent: the threshold of `side`. */
  kind: z.optional(kindName),
  epoch: z.int().check(z.minimum(0)),
  /** 0: coin A has become worthless. */
  ratio: z.union([positive, z.literal(0)]),
  /** Of an extreme: the ratio beyond which a twentieth of the days lies. */
  threshold: positive,
  /** Of an extreme: share of the days with a ratio below, and how many days those are. */
  measure: z.optional(z.number()),
  days: z.optional(z.int().check(z.minimum(1))),
  /** Of a rule: its id, what it was judged by, and what its owner has noted with it. `measure` is in the level's unit. */
  rule: z.optional(z.string()),
  level: z.optional(z.number()),
  window: z.optional(z.union([z.string(), z.number()])),
  loudness: z.optional(z.enum(RULE_LOUDNESSES)),
  note: z.optional(z.string()),
  /** When the server saw the crossing. */
  crossed_at: isoTime,
  /** Moves of coin A and coin B since the pair's checkpoint, fractions; absent: not known. Earlier workers leave it out. */
  since_checkpoint: z.optional(z.object({ a: z.number().check(z.minimum(-1)), b: z.number().check(z.minimum(-1)) })),
})
export type AlertMessage = z.infer<typeof alertMessage>

/** Payload of a push that lists several alerts: after quiet hours, or where many fire at once. */
export const digestMessage = z.object({
  type: z.literal('digest'),
  /** As in `alertMessage`. */
  owner: z.string(),
  /** How many there are, of which `alerts` are the newest. */
  count: z.int(),
  /** Oldest first. */
  alerts: z.array(z.omit(alertMessage, { type: true, owner: true, since_checkpoint: true })).check(z.minLength(1)),
})
export type DigestMessage = z.infer<typeof digestMessage>

/** `receipt_secret`: for `pushShown`, in this answer alone; each registration that asks for receipts makes a new one. */
const subscribedPush = z.object({ id: z.uuid(), receipt_secret: z.optional(z.string()) })
export type SubscribedPush = z.infer<typeof subscribedPush>

export const pushRoutes = {
  subscribePush: {
    method: 'POST',
    path: '/push/subscribe',
    identity: 'any',
    summary: "Sends the caller's alerts to a browser; one that was known moves to the caller, with new keys",
    body: pushBody,
    status: 201,
    whenGone: 204,
    answer: subscribedPush,
  },
  unsubscribePush: {
    method: 'DELETE',
    path: '/push/unsubscribe',
    identity: 'any',
    summary: "Sends nothing more to one of the caller's browsers, if it was known at all",
    body: z.strictObject({ endpoint: pushSubscription.shape.endpoint }),
    status: 204,
    answer: null,
  },
  pushShown: {
    method: 'POST',
    path: '/push/shown',
    identity: 'none',
    summary: 'Says which alerts a browser has shown; its receipt secret in "Authorization: Receipt <secret>" names it',
    body: z.strictObject({ event_ids: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100)) }),
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>

/** Crossings of one answer: the default, and the most. */
const ALERTS_PAGE_SIZE = 100
export const LARGEST_ALERTS_PAGE = 500

const delivery = z.object({
  /** `push`, or the kind of a channel. */
  channel: z.string(),
  /** Of a browser or a channel; null: not known. */
  name: z.nullable(z.string()),
  /** `waiting`, `held` by quiet hours, `sent`, `shown` or `failed`. */
  state: z.string(),
  /** When it was shown, or ended; null: it has not. */
  at: z.nullable(isoTime),
  /** True: a browser that says what it shows. */
  confirms: z.optional(z.boolean()),
  /** Why it failed. */
  reason: z.optional(z.string()),
})

/** A crossing that the server recorded; the pair may have been removed since. */
const crossing = z.extend(z.omit(alertMessage, { type: true, owner: true, since_checkpoint: true }), {
  /** Any finite number if a coin has become worthless. */
  ratio: z.number().check(z.minimum(0)),
  /** When a later price, back on this side of the threshold, armed the side again; null: not yet, or never. */
  back_at: z.nullable(isoTime),
  /** The end of the quiet hours in which it fired; null: it fired in a pause or a snooze, and is not sent; absent: neither. */
  held_until: z.optional(z.nullable(isoTime)),
  /** Its deliveries to the owner's browsers (`push`) and channels, of 30 days; absent: an older server, or none. */
  deliveries: z.optional(z.array(delivery)),
  /** Why it was not sent, or not to all, such as `paused`; absent: it was, or is on its way. */
  not_sent: z.optional(z.string()),
})
export type Crossing = z.infer<typeof crossing>
export type Delivery = z.infer<typeof delivery>

const alertsAnswer = z.object({
  /** The server's time. A crossing that is recorded after this answer is in the answer to `since` this time. */
  as_of: isoTime,
  /** Newest first. */
  alerts: z.array(crossing),
})
export type AlertsAnswer = z.infer<typeof alertsAnswer>

const wallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const quietHours = z.object({
  from: wallTime,
  to: wallTime,
  /** Weekdays on which they begin, 1 = Monday. */
  days: z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.minLength(1), z.maxLength(7)),
  /** IANA name. */
  time_zone: z.string().check(z.regex(/^[A-Z][\w+/-]{0,63}$/)),
})

/** The caller's alerts beside those of thresholds, and when none are sent. Absent: a server of before. */
export const alertSettings = z.object({
  /** Whenever a pair of the board comes to an extreme. */
  extremes: z.boolean(),
  quiet_hours: z.optional(z.nullable(quietHours)),
  /** Crossings before it are recorded and never sent. */
  paused_until: z.optional(z.nullable(isoTime)),
})
export type AlertSettings = z.infer<typeof alertSettings>

const alertSettingsBody = z.strictObject({
  extremes: z.optional(z.boolean()),
  quiet_hours: z.optional(
    z.nullable(
      z.strictObject(quietHours.shape).check(
        z.refine(({ from, to }) => from !== to, 'Must not end when they begin.'),
        z.refine(({ time_zone }) => isTimeZone(time_zone), 'Must name a known time zone.'),
      ),
    ),
  ),
  paused_until: z.optional(z.nullable(isoTime)),
})
export type AlertSettingsBody = z.infer<typeof alertSettingsBody>

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    identity: 'any',
    summary: "The caller's crossings, newest first, a page at a time; those of removed pairs too",
    query: z.strictObject({
      /** The `as_of` of an earlier answer: only crossings that fired, came back or were delivered since then. */
      since: z.optional(isoTime),
      /** Kinds that the client knows besides those of thresholds, with commas; sent to servers with `alert_features` alone. */
      kinds: z.optional(z.string().check(z.regex(/^[a-z_,]{0,400}$/))),
      ...pageQuery(ALERTS_PAGE_SIZE, LARGEST_ALERTS_PAGE),
    }),
    counted: true,
    answer: alertsAnswer,
  },
  alertSettings: {
    method: 'GET',
    path: '/alerts/settings',
    identity: 'any',
    summary: 'What the caller is alerted of beside thresholds',
    answer: alertSettings,
  },
  saveAlertSettings: {
    method: 'PUT',
    path: '/alerts/settings',
    identity: 'any',
    summary: 'Changes what the caller is alerted of; a field that is absent stays',
    body: alertSettingsBody,
    answer: alertSettings,
  },
} as const satisfies Record<string, Route>
