import { CreditCard, Gift } from 'lucide-react'
import type { Subscription } from '../../contract/billing'
import { isManual } from '../../domain/subscription'
import { Badge } from '../../ui/badge'
import { RowIcon } from './row-icon'
import styles from './subscription-list.module.css'
import { originOf, periodOf, statusOf } from './subscription-words'

/** All that has given an account Premium, newest first. */
export function SubscriptionList({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  if (subscriptions.length === 0) return <p className={styles.none}>Nothing was ever bought or granted.</p>
  return (
    <ul aria-label="Subscriptions" className={styles.list}>
      {subscriptions.map((subscription) => {
        const { word, tone } = statusOf(subscription)
        const Icon = isManual(subscription.stripe_subscription_id) ? Gift : CreditCard
        return (
          <li key={subscription.id} className={styles.row}>
            <RowIcon icon={Icon} />
            <p className={styles.origin}>
              {originOf(subscription)} <Badge tone={tone}>{word}</Badge>
            </p>
            <p className={styles.period}>{periodOf(subscription)}</p>
            <code className={styles.id}>{subscription.stripe_subscription_id}</code>
          </li>
        )
      })}
    </ul>
  )
}
