import { createHash } from 'node:crypto'
import type { AlertMessage, DigestMessage } from '../../../src/contract/alerts'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import { pairTitle } from '../../../src/domain/pair'
import { parseRetryAfter, pauseAfter } from '../../../src/domain/waits'
import type { PushAnswer, PushMessage, PushSender } from '../../adapters/push/push-sender'
import type { Env } from '../../env'
import type { JobsDeps } from '../../jobs/periodic'
import { eventIdOf, kindFields, ruleOfEvent } from '../alerts/event-wire'
import type { PushMetrics } from '../alerts/metrics'
import { alertsMessage, linesWithin } from '../channels/webhook-message'
import { hashOfSecret } from '../secrets'
import { keepInFlight } from './in-flight'
import {
  ALERT_TTL,
  type AlertsOfPush,
  BROWSERS,
  claimDue,
  fanOut,
  tellableAt,
  type WaitingAlert,
} from './delivery-queue'
import { DELIVERY_MESSAGES, type DeliveryOutcome, deliveryRecorder, type RecordDelivery } from './record-delivery'

export interface PushDeps extends JobsDeps {
  readonly env: Pick<Env, 'PUBLIC_URL'>
  readonly sender: PushSender
  readonly metrics?: PushMetrics | undefined
  /** Called when crossings were fanned out, which may wait for channels now. */
  readonly fannedOut?: () => void
}

/** Requests that a process has in flight at most: 2,000 a second with a push service that answers within a quarter of one. */
const MAX_CONCURRENT_PUSHES = 500
/** Milliseconds between two looks for deliveries to browsers that are busy. */
export const PUSH_INTERVAL_MS = 500
const RETRY_PAUSES = { first: 5_000, growth: 3, longest: 15 * MINUTE }
/** Milliseconds: longer than any alert lives; a push service that asks for more silence is asked once a day. */
const MAX_SILENCE_MS = DAY

/**
 * Sends crossings to browsers, until nothing is due. Any number of processes may do so at once. A process that dies between
 * sending and recording leads to a second message, which the browser knows by its event id; never to none.
 */
export async function deliverAlerts(deps: PushDeps, stopped: () => boolean = () => false): Promise<void> {
  const record = deliveryRecorder(deps.database)
  await keepInFlight(MAX_CONCURRENT_PUSHES, PUSH_INTERVAL_MS, {
    take: async (most) => (stopped() ? [] : takeDue(deps, most)),
    send: (alerts) => deliver(deps, record, alerts),
  })
}

async function takeDue({ database, clock, fannedOut }: PushDeps, most: number): Promise<readonly AlertsOfPush[]> {
  if (await fanOut(database, clock())) fannedOut?.()
  return claimDue(database, most, clock())
}

async function deliver(deps: PushDeps, record: RecordDelivery, claimed: AlertsOfPush): Promise<void> {
  const { sender, clock, metrics, logger } = deps
  const [{ delivery_id, endpoint, attempts }] = claimed
  const about = { delivery: delivery_id, alerts: claimed.length, service: new URL(endpoint).origin, attempt: attempts }
  const note = async (alerts: AlertsOfPush, outcome: DeliveryOutcome, answer: string | number, now: number) => {
    await record(alerts, outcome, now)
    metrics?.recorded(outcome.kind)
    logger?.[outcome.kind === 'sent' ? 'debug' : 'warn']({ ...about, answer }, DELIVERY_MESSAGES[outcome.kind])
  }
  try {
    const begun = clock()
    if (claimed[0].refused) return await note(claimed, { kind: 'refused' }, 'refused before', begun)
    const wanted = claimed.filter((alert) => whyNotToSend(alert, begun) === null)
    // The browser stays claimed for those that are sent.
    const freeAt = wanted.length === 0 ? begun : begun + BROWSERS.lease
    for (const alert of claimed) {
      const moot = whyNotToSend(alert, begun)
      if (moot !== null) await note([alert], { kind: moot, freeAt }, moot, begun)
    }
    const [first, ...others] = wanted
    if (first === undefined) return
    const alerts: AlertsOfPush = [first, ...others]
    const answer = await sender.send(pushMessageOf(deps.env.PUBLIC_URL, alerts, begun))
    const now = clock()
    const outcome = outcomeOf(alerts, answer, now)
    await note(alerts, outcome, answer.kind === 'answered' ? answer.status : answer.why, now)
    if (outcome.kind === 'sent') metrics?.accepted((now - tellableAt(first)) / 1000)
  } catch (error) {
    // The claim runs out, and then a process tries again.
    logger?.error({ ...about, err: error }, 'an alert could not be delivered')
  }
}

/** Why the alert is given up unsent; null: send it. */
function whyNotToSend(alert: WaitingAlert, now: number): 'unwanted' | 'superseded' | 'too-late' | null {
  if (!alert.wanted) return 'unwanted'
  if (alert.superseded) return 'superseded'
  return now > expiresAt([alert]) ? 'too-late' : null
}

/** Reads a push service's answer (RFC 8030; other statuses are those that vendors document). */
function outcomeOf(alerts: AlertsOfPush, answer: PushAnswer, now: number): DeliveryOutcome {
  if (answer.kind === 'impossible') return { kind: 'undeliverable', freeAt: now }
  if (answer.kind === 'unanswered') return tryAgain(alerts, null, now)
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', freeAt: now }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 403) return { kind: 'refused' }
  // One vendor sends 406 for 429. The sender follows no redirect: its status says nothing about the message.
  const passes = status < 400 || status === 406 || status === 429 || status >= 500
  return passes ? tryAgain(alerts, parseRetryAfter(retryAfter, now), now) : { kind: 'undeliverable', freeAt: now }
}

/** @param retryAfter milliseconds for which the push service asks for silence; null: it does not say */
function tryAgain(alerts: AlertsOfPush, retryAfter: number | null, now: number): DeliveryOutcome {
  const freeAt = now + Math.min(retryAfter ?? 0, MAX_SILENCE_MS)
  const nextAttempt = Math.max(now + pauseAfter(alerts[0].attempts, RETRY_PAUSES), freeAt)
  return nextAttempt > expiresAt(alerts) ? { kind: 'too-late', freeAt } : { kind: 'again', nextAttempt, freeAt }
}

/** Milliseconds since 1970 after which no browser is sent the push any more. */
const expiresAt = (alerts: readonly Pick<WaitingAlert, 'crossed_at' | 'held_until'>[]): number =>
  Math.max(...alerts.map(tellableAt)) + ALERT_TTL

/** @param now milliseconds since 1970, before the push expires */
function pushMessageOf(origin: string, alerts: AlertsOfPush, now: number): PushMessage {
  const [first] = alerts
  const isAlone = alerts.length === 1
  const shape = first.declarative ? declarativeOf(origin, alerts) : {}
  return {
    endpoint: first.endpoint,
    keys: { p256dh: first.p256dh, auth: first.auth },
    payload: isAlone ? JSON.stringify({ ...shape, ...alertMessageOf(first) }) : digestOf(alerts, shape),
    declarative: first.declarative,
    // A crossing of the future was seen while the clock was wrong.
    ttl: Math.floor(Math.min(expiresAt(alerts) - now, ALERT_TTL) / 1000),
    // A digest replaces nothing: the next one lists others.
    topic: topicOf(isAlone ? ruleOfEvent(first) : first.delivery_id),
  }
}

/** Bytes of a payload that every push service takes (RFC 8291), less what encryption adds. */
const PAYLOAD_SIZE = 3_900

/** The newest alerts as far as they fit, and how many there are. An earlier service worker says that something has fired. */
function digestOf(alerts: AlertsOfPush, shape: object): string {
  const [{ anonymous_hash, owner_id }] = alerts
  const digest: DigestMessage = {
    type: 'digest',
    owner: anonymous_hash ?? hashOfSecret(owner_id),
    count: alerts.length,
    alerts: alerts.map((alert) => {
      const { type: _type, owner: _owner, since_checkpoint: _moves, ...told } = alertMessageOf(alert)
      return told
    }),
  }
  for (let oldest = 0; ; oldest++) {
    const payload = JSON.stringify({ ...shape, ...digest, alerts: digest.alerts.slice(oldest) })
    if (Buffer.byteLength(payload) <= PAYLOAD_SIZE) return payload
  }
}

/**
 * Declarative Web Push: a browser shows this by itself where the service worker is gone, and else has the worker replace it
 * (`mutable`), which reads the fields beside it. Without a time of day and without a number at the app's icon: the server
 * knows neither the browser's time zone nor what the user has seen.
 */
function declarativeOf(origin: string, alerts: AlertsOfPush) {
  const batch = { id: alerts[0].delivery_id, size: alerts.length }
  const { id, title, lines, url } = alertsMessage(origin, batch, alerts)
  const body = linesWithin(lines, BODY_LENGTH)
  return { web_push: 8030, mutable: true, notification: { title, body, tag: id, navigate: url } }
}

/** Characters of the text of a notification. */
const BODY_LENGTH = 300

function alertMessageOf(alert: WaitingAlert): AlertMessage {
  const { widget_id, coin_a_id, coin_b_id, side, epoch, ratio, threshold } = alert
  const pair = pairTitle({ coinA: { symbol: alert.coin_a_symbol }, coinB: { symbol: alert.coin_b_symbol } })
  return {
    type: 'alert',
    event_id: eventIdOf(alert),
    // The browser compares this with its present owner; the id of a guest is stored as this hash alone.
    owner: alert.anonymous_hash ?? hashOfSecret(alert.owner_id),
    widget_id,
    coin_a_id,
    coin_b_id,
    pair,
    side,
    epoch,
    ratio,
    threshold,
    crossed_at: alert.crossed_at.toISOString(),
    ...kindFields(alert),
    ...sinceCheckpoint(alert),
  }
}

/** Prices that have gone on since the crossing say nothing of it: a late try leaves them out. */
function sinceCheckpoint({ prices, ratio }: WaitingAlert): Pick<AlertMessage, 'since_checkpoint'> {
  if (prices === null) return {}
  const { before, now } = prices
  if (!(Math.abs(now.a / now.b - ratio) <= SAME_RATIO * ratio)) return {}
  return { since_checkpoint: { a: now.a / before.a - 1, b: now.b / before.b - 1 } }
}

/** Relative: half of the last decimal that a move is said with. */
const SAME_RATIO = 0.000_5

/** Of a rule, so that a later crossing replaces one that a browser has not fetched; push services can read it, so it is a hash. */
const topicOf = (subject: string): string => createHash('sha256').update(subject).digest('base64url').slice(0, 32)
