import { createHash } from 'node:crypto'
import { ALERT_WORTH, alertEventId, type AlertSide } from '../../../src/domain/alerts'
import type { AlertMessage } from '../../../src/contract/push'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import { pairTitle } from '../../../src/domain/pair'
import type { PushMessage } from '../../adapters/push/push-sender'
import { hashOfSecret } from '../secrets'

/** One alert that a browser is to be told of, and how that browser is reached. */
export interface WaitingAlert {
  readonly delivery_id: string
  /** Tries that were begun, this one included. */
  readonly attempts: number
  readonly subscription_id: string
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly subscribed_at: Date
  /** Whether it is still its owner's browser, the widget there with its alerts on, and the account open. */
  readonly wanted: boolean
  /** Whether the browser was told of a later crossing of the same side: at its push service this one would replace that. */
  readonly superseded: boolean
  readonly owner_id: string
  /** Null: the owner is a user. */
  readonly anonymous_hash: string | null
  readonly widget_id: WidgetId
  readonly coin_a_id: CoinId
  readonly coin_b_id: CoinId
  readonly coin_a_symbol: string
  readonly coin_b_symbol: string
  readonly side: AlertSide
  readonly epoch: number
  readonly ratio: number
  readonly threshold: number
  readonly crossed_at: Date
}

/** Milliseconds since 1970 after which nobody is told any more. */
export const worthUntil = ({ crossed_at }: Pick<WaitingAlert, 'crossed_at'>): number =>
  crossed_at.getTime() + ALERT_WORTH

/** @param now milliseconds since 1970, before the alert's worth is over */
export const pushMessageOf = (alert: WaitingAlert, now: number): PushMessage => ({
  endpoint: alert.endpoint,
  keys: { p256dh: alert.p256dh, auth: alert.auth },
  payload: JSON.stringify(alertMessageOf(alert)),
  // A crossing of the future was seen while the clock was wrong.
  ttl: Math.floor(Math.min(worthUntil(alert) - now, ALERT_WORTH) / 1000),
  topic: topicOf(alert),
})

function alertMessageOf(alert: WaitingAlert): AlertMessage {
  const { widget_id, coin_a_id, coin_b_id, side, epoch, ratio, threshold } = alert
  const pair = pairTitle({ coinA: { symbol: alert.coin_a_symbol }, coinB: { symbol: alert.coin_b_symbol } })
  return {
    type: 'alert',
    event_id: alertEventId(widget_id, side, epoch),
    // Whether the browser is still its owner's, it can say by this; the id of a guest is stored as this hash alone.
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
  }
}

/** Of a widget's side, so that a later crossing replaces one that a browser has not fetched; push services can read it, so it is a hash. */
const topicOf = ({ widget_id, side }: WaitingAlert): string =>
  createHash('sha256').update(`${widget_id}:${side}`).digest('base64url').slice(0, 32)
