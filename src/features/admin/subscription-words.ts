import type { Subscription } from '../../contract/billing'
import { isEntitling, isManual } from '../../domain/subscription'
import type { BadgeTone } from '../../ui/badge'
import { formatShortDay } from '../../ui/moment'

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

/** What a subscription's status is called; a word of the provider's that is not known here stays as it is. */
export function statusOf({ status, stripe_subscription_id: id }: Subscription): {
  readonly word: string
  readonly tone: BadgeTone
} {
  const word = isManual(id) && !isEntitling(status) ? 'Ended' : (STATUS_WORDS[status] ?? status)
  return { word, tone: status === 'past_due' ? 'warn' : isEntitling(status) ? 'accent' : 'neutral' }
}

/** When it ends, renews or was good for. */
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

/**
 * The grant that holds, of all that an account has. By its status alone, which the server changes within a minute of its
 * end: this device's clock may be wrong.
 */
export const activeGrant = (subscriptions: readonly Subscription[]): Subscription | undefined =>
  subscriptions.find(({ status, stripe_subscription_id: id }) => isManual(id) && status === 'active')

/** Whether something is paid for that goes on whatever is granted or revoked. */
export const isPaying = (subscriptions: readonly Subscription[]): boolean =>
  subscriptions.some(({ status, stripe_subscription_id: id }) => !isManual(id) && isEntitling(status))
