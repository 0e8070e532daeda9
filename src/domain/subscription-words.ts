import { isEntitling, isManual } from './subscription'
import { formatShortDay } from './local-time'

/** A subscription as the server says it; both times in ISO 8601. */
interface Subscription {
  readonly status: string
  readonly stripe_subscription_id: string
  readonly current_period_start: string
  readonly current_period_end: string
  readonly cancel_at_period_end: boolean
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Past due',
  canceled: 'Canceled',
  unpaid: 'Unpaid',
  incomplete: 'Incomplete',
  incomplete_expired: 'Never paid',
  paused: 'Paused',
}

/** Words for a subscription's status; an unknown word of the provider's stays as it is. */
export function statusWordOf({ status, stripe_subscription_id: id }: Subscription): {
  readonly word: string
  readonly tone: 'accent' | 'warn' | 'neutral'
} {
  const word = isManual(id) && !isEntitling(status) ? 'Ended' : (STATUS_WORDS[status] ?? status)
  return { word, tone: status === 'past_due' ? 'warn' : isEntitling(status) ? 'accent' : 'neutral' }
}

/** When the subscription ends or renews, or its past period. */
export function periodOf(subscription: Subscription): string {
  const { status, cancel_at_period_end: ends, stripe_subscription_id: id } = subscription
  const from = formatShortDay(Date.parse(subscription.current_period_start))
  const to = formatShortDay(Date.parse(subscription.current_period_end))
  if (!isEntitling(status) || status === 'past_due') return `${from} – ${to}`
  if (isManual(id)) return `Since ${from}, until ${to}`
  return ends ? `Ends on ${to}` : `Renews on ${to}`
}

export const originOf = ({ stripe_subscription_id: id }: Subscription): string =>
  isManual(id) ? 'Granted' : 'Stripe subscription'

/** By its status alone, which the server changes within a minute of the grant's end: this device's clock may be wrong. */
export const activeGrant = <S extends Subscription>(subscriptions: readonly S[]): S | undefined =>
  subscriptions.find(({ status, stripe_subscription_id: id }) => isManual(id) && status === 'active')

/** True if the user pays for a subscription, which grants and revocations do not end. */
export const isPaying = (subscriptions: readonly Subscription[]): boolean =>
  subscriptions.some(({ status, stripe_subscription_id: id }) => !isManual(id) && isEntitling(status))
