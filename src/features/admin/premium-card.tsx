import type { AdminProfile } from '../../contract/admin'
import type { Subscription } from '../../contract/billing'
import type { Asked } from '../../state/use-answer'
import { PageCard } from '../../ui/page'
import { Failure } from './failure'
import { PremiumActions } from './premium-actions'
import { SubscriptionList } from './subscription-list'
import { PremiumSkeleton } from './user-skeleton'

interface PremiumCardProps {
  readonly user: AdminProfile
  readonly asked: Asked<readonly Subscription[]>
  readonly onAsked: () => void
}

/** What gives an account Premium, and what an operator can do about it. */
export const PremiumCard = (props: PremiumCardProps) => (
  <PageCard title="Premium">
    <Content {...props} />
  </PageCard>
)

function Content({ user, asked, onAsked }: PremiumCardProps) {
  switch (asked.kind) {
    case 'waiting':
      return <PremiumSkeleton />
    case 'failed':
      return (
        <Failure what="Failed to fetch user data." failure={asked.failure} pending={asked.pending} onRetry={onAsked} />
      )
    case 'known':
      return (
        <>
          <SubscriptionList subscriptions={asked.value} />
          <PremiumActions user={user} subscriptions={asked.value} pending={asked.pending} onAsked={onAsked} />
        </>
      )
  }
}
