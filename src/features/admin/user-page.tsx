import { ArrowLeft } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type Asked, useAnswer } from '../../state/use-answer'
import { Skeleton } from '../../ui/skeleton'
import { TierBadge } from '../../ui/tier-badge'
import { ActionsCard } from './actions-card'
import { AdminPage } from './admin-page'
import { type FromList, USERS } from './addresses'
import { Failure } from './failure'
import { ListCard } from './list-card'
import { OldNews } from './old-news'
import { PremiumCard } from './premium-card'
import { ProfileCard } from './profile-card'
import { UsageCard } from './usage-card'
import { UserFlags } from './user-flags'
import styles from './user-page.module.css'
import { UserSkeleton } from './user-skeleton'

const FAILED = 'Failed to fetch user data.'

/** One account: who it is, what gives it Premium, and what operators did about it. */
export function UserPage({ id }: { readonly id: string }) {
  const [asked, askUser] = useAnswer({ kind: 'admin-user', user: id })
  const [subscriptions, askSubscriptions] = useAnswer({ kind: 'admin-subscriptions', user: id })
  const [actions, askActions] = useAnswer({ kind: 'audit-log', user: id, skip: 0 })
  const askAll = () => {
    askUser()
    askSubscriptions()
    askActions()
  }

  switch (asked.kind) {
    case 'waiting':
      return (
        <AdminPage
          title="User"
          back={<Back />}
          lead={
            <span className={styles.flags}>
              <Skeleton width="4.25rem" height="1.375rem" />
            </span>
          }
        >
          <UserSkeleton />
        </AdminPage>
      )
    case 'failed':
      return (
        <AdminPage title="User" back={<Back />}>
          <ListCard label="Account" pending={false}>
            <Failure what={FAILED} failure={asked.failure} pending={asked.pending} onRetry={askAll} />
          </ListCard>
        </AdminPage>
      )
    case 'known': {
      const user = asked.value
      const missed = asked.failure ?? missedOf(subscriptions) ?? missedOf(actions)
      return (
        <AdminPage
          title={user.email}
          back={<Back />}
          lead={
            <span className={styles.flags}>
              <TierBadge premium={user.has_premium_access} />
              <UserFlags user={user} />
            </span>
          }
        >
          <OldNews what={FAILED} failure={missed} at={asked.at} onRetry={askAll} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <PremiumCard user={user} asked={subscriptions} onAsked={askAll} />
              <ActionsCard user={user} asked={actions} onRetry={askActions} />
            </div>
            <div className={styles.column}>
              <ProfileCard user={user} />
              <UsageCard user={user} />
            </div>
          </div>
        </AdminPage>
      )
    }
  }
}

/** Why what is shown may be old; null: it is not. */
const missedOf = (asked: Asked<unknown>) => (asked.kind === 'known' ? asked.failure : null)

/** Back to the page and the search that the account was found with. */
function Back() {
  const from = useHistoryState<FromList | null>()?.from
  const goBack = (event: MouseEvent) => {
    if (from === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.back()
  }
  return (
    <Link href={from ?? USERS} className={styles.back ?? ''} onClick={goBack}>
      <ArrowLeft aria-hidden="true" />
      All users
    </Link>
  )
}
