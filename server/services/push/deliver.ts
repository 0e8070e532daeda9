import { createHash } from 'node:crypto'
import type { AlertMessage } from '../../../src/contract/alerts'
import { DAY, MINUTE } from '../../../src/domain/granularity'
import { pairTitle } from '../../../src/domain/pair'
import { parseRetryAfter, pauseAfter } from '../../../src/domain/waits'
import type { PushAnswer, PushMessage, PushSender } from '../../adapters/push/push-sender'
import type { JobsDeps } from '../../jobs/periodic'
import { eventIdOf, extremeFields, ruleOfEvent } from '../alerts/event-wire'
import type { PushMetrics } from '../alerts/metrics'
import { hashOfSecret } from '../secrets'
import { keepInFlight } from './in-flight'
import { ALERT_TTL, claimDue, fanOut, type WaitingAlert } from './delivery-queue'
import { DELIVERY_MESSAGES, type DeliveryOutcome, deliveryRecorder, type RecordDelivery } from './record-delivery'

export interface PushDeps extends JobsDeps {
  readonly sender: PushSender
  readonly metrics?: PushMetrics | undefined
}

/** Requests that a process has in flight at most: 2,000 a second with a push service that answers within a quarter of one. */
const MAX_CONCURRENT_PUSHES = 500
/** Milliseconds between two looks for new crossings. */
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
    send: (alert) => deliver(deps, record, alert),
  })
}

async function takeDue({ database, clock }: PushDeps, most: number): Promise<readonly WaitingAlert[]> {
  await fanOut(database, clock())
  return claimDue(database, most, clock())
}

async function deliver(deps: PushDeps, record: RecordDelivery, alert: WaitingAlert): Promise<void> {
  const { sender, clock, metrics, logger } = deps
  const about = { delivery: alert.delivery_id, service: new URL(alert.endpoint).origin, attempt: alert.attempts }
  try {
    const begun = clock()
    const moot = whyNotToSend(alert, begun)
    const answer = moot ?? (await sender.send(pushMessageOf(alert, begun)))
    const now = clock()
    const outcome = typeof answer === 'string' ? { kind: answer, freeAt: now } : outcomeOf(alert, answer, now)
    await record(alert, outcome, now)
    metrics?.recorded(outcome.kind)
    if (outcome.kind === 'sent') metrics?.accepted((now - alert.crossed_at.getTime()) / 1000)
    const said = typeof answer === 'string' ? null : answer.kind === 'answered' ? answer.status : answer.why
    logger?.[outcome.kind === 'sent' ? 'debug' : 'warn']({ ...about, answer: said }, DELIVERY_MESSAGES[outcome.kind])
  } catch (error) {
    // The claim runs out, and then a process tries again.
    logger?.error({ ...about, err: error }, 'an alert could not be delivered')
  }
}

/** Why the alert is given up unsent; null: send it. */
function whyNotToSend(alert: WaitingAlert, now: number): 'unwanted' | 'superseded' | 'too-late' | null {
  if (!alert.wanted) return 'unwanted'
  if (alert.superseded) return 'superseded'
  return now > expiresAt(alert) ? 'too-late' : null
}

/** Reads a push service's answer (RFC 8030; other statuses are those that vendors document). */
function outcomeOf(alert: WaitingAlert, answer: PushAnswer, now: number): DeliveryOutcome {
  if (answer.kind === 'impossible') return { kind: 'undeliverable', freeAt: now }
  if (answer.kind === 'unanswered') return tryAgain(alert, null, now)
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', freeAt: now }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 403) return { kind: 'refused' }
  // One vendor sends 406 for 429. The sender follows no redirect: its status says nothing about the message.
  const passes = status < 400 || status === 406 || status === 429 || status >= 500
  return passes ? tryAgain(alert, parseRetryAfter(retryAfter, now), now) : { kind: 'undeliverable', freeAt: now }
}

/** @param retryAfter milliseconds for which the push service asks for silence; null: it does not say */
function tryAgain(alert: WaitingAlert, retryAfter: number | null, now: number): DeliveryOutcome {
  const freeAt = now + Math.min(retryAfter ?? 0, MAX_SILENCE_MS)
  const nextAttempt = Math.max(now + pauseAfter(alert.attempts, RETRY_PAUSES), freeAt)
  return nextAttempt > expiresAt(alert) ? { kind: 'too-late', freeAt } : { kind: 'again', nextAttempt, freeAt }
}

/** Milliseconds since 1970 after which no browser is sent the crossing any more. */
const expiresAt = ({ crossed_at }: Pick<WaitingAlert, 'crossed_at'>): number => crossed_at.getTime() + ALERT_TTL

/** @param now milliseconds since 1970, before the alert expires */
const pushMessageOf = (alert: WaitingAlert, now: number): PushMessage => ({
  endpoint: alert.endpoint,
  keys: { p256dh: alert.p256dh, auth: alert.auth },
  payload: JSON.stringify(alertMessageOf(alert)),
  // A crossing of the future was seen while the clock was wrong.
  ttl: Math.floor(Math.min(expiresAt(alert) - now, ALERT_TTL) / 1000),
  topic: topicOf(alert),
})

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
    ...extremeFields(alert),
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
const topicOf = (alert: WaitingAlert): string =>
  createHash('sha256').update(ruleOfEvent(alert)).digest('base64url').slice(0, 32)
