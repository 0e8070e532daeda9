import { ArrowLeft } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { AdminProfile, AuditEntry } from '../../contract/admin'
import type { ListPage } from '../../db/call'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { DAY } from '../../domain/granularity'
import { type Asked, useAnswer } from '../../state/calls'
import { TierBadge } from '../../ui/badge'
import { linkClass } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { Facts } from '../../ui/facts'
import { formatDateTime, formatDay, formatShortDateTime } from '../../domain/local-time'
import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import text from '../../ui/text.module.css'
import { AdminPage, AUDIT_LOG, type FromList, listAddress, USERS } from './admin-page'
import { AdminAnswer, Failure, StaleNotice } from './answer-states'
import { AuditRow } from './audit-page'
import { ListCard } from './paged-list'
import { PremiumCard } from './premium-card'
import { SessionsCard } from './sessions-card'
import { UserFlags } from './users-page'
import styles from './user-page.module.css'
import { ActionsSkeleton, UserSkeleton } from './user-skeleton'

const FAILED = 'Failed to fetch user data.'

/** One account: profile, usage, subscriptions, and the actions of operators. */
export function UserPage({ id }: { readonly id: string }) {
  const [asked, askUser] = useAnswer('adminUser', { id })
  const [subscriptions, askSubscriptions] = useAnswer('adminSubscriptions', { id })
  const [actions, askActions] = useAnswer('auditLog', { target: id, skip: 0 })
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
            <Failure asked={asked} failed={FAILED} onRetry={askAll} />
          </ListCard>
        </AdminPage>
      )
    case 'known': {
      const missed = asked.failure ?? staleReason(subscriptions) ?? staleReason(actions)
      return (
        <KnownUser user={asked.value}>
          <StaleNotice failed={FAILED} failure={missed} at={asked.at} onRetry={askAll} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <PremiumCard user={asked.value} asked={subscriptions} onAsked={askAll} />
              <SessionsCard user={asked.value} onAsked={askAll} />
              <ActionsCard user={asked.value} asked={actions} onRetry={askActions} />
            </div>
            <div className={styles.column}>
              <ProfileCard user={asked.value} />
              <UsageCard user={asked.value} />
            </div>
          </div>
        </KnownUser>
      )
    }
  }
}

const KnownUser = ({ user, children }: { readonly user: AdminProfile; readonly children: ReactNode }) => (
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
    {children}
  </AdminPage>
)

/** Why the answer on the screen may be out of date; null: no request after it failed. */
const staleReason = (asked: Asked<unknown>) => (asked.kind === 'known' ? asked.failure : null)

/** Back to the page of the list, or of the search, from which the operator opened the account. */
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

const at = (time: string | null): ReactNode => (time === null ? 'Never' : formatDateTime(Date.parse(time)))

function ProfileCard({ user }: { readonly user: AdminProfile }) {
  const { deletion_scheduled_at: scheduled } = user
  return (
    <PageCard title="Profile">
      <Facts
        facts={[
          { name: 'User ID', value: <code className={styles.id}>{user.id}</code> },
          { name: 'Email verified', value: user.email_verified ? 'Yes' : 'No' },
          { name: 'Logs in with', value: user.has_password ? 'Email and password' : 'Google' },
          { name: 'Can log in', value: user.is_active ? 'Yes' : 'No, disabled' },
          { name: 'Last login', value: at(user.last_login_at) },
          { name: 'Member since', value: formatDay(Date.parse(user.created_at)) },
          { name: 'Terms accepted', value: accepted(user.accepted_terms_version, user.accepted_terms_at) },
          { name: 'Privacy accepted', value: accepted(user.accepted_privacy_version, user.accepted_privacy_at) },
          ...(scheduled === null
            ? []
            : [{ name: 'Deleted on', value: formatDay(Date.parse(scheduled) + DELETION_GRACE_DAYS * DAY) }]),
        ]}
      />
    </PageCard>
  )
}

const accepted = (version: string | null, time: string | null): ReactNode =>
  version === null || time === null ? 'Not yet' : `${version}, on ${formatDay(Date.parse(time))}`

const UsageCard = ({ user }: { readonly user: AdminProfile }) => (
  <PageCard title="Usage">
    <Facts
      facts={[
        { name: 'Widgets', value: user.widgets },
        { name: 'Of these active', value: user.active_widgets },
        { name: 'Checkpoints', value: user.checkpoints },
        { name: 'Devices with notifications', value: user.push_subscriptions },
      ]}
    />
  </PageCard>
)

interface ActionsCardProps {
  readonly user: AdminProfile
  readonly asked: Asked<ListPage<AuditEntry>>
  readonly onRetry: () => void
}

/** Rows of this card; the audit log has the rest. */
const LATEST = 5

/** Latest audit entries of an account. */
const ActionsCard = ({ user, asked, onRetry }: ActionsCardProps) => (
  <PageCard title="Actions">
    <AdminAnswer asked={asked} failed="Failed to fetch actions." onRetry={onRetry} skeleton={<ActionsSkeleton />}>
      {({ value: { rows, total }, at: now }) =>
        total === 0 ? (
          <p className={text.muted}>No operator has done anything about this account.</p>
        ) : (
          <>
            <ul>
              {rows.slice(0, LATEST).map((entry) => (
                <AuditRow
                  key={entry.id}
                  entry={entry}
                  time={formatShortDateTime(Date.parse(entry.at), now)}
                  here={null}
                />
              ))}
            </ul>
            {total > LATEST && (
              <Link href={listAddress(AUDIT_LOG, { user: user.id })} className={classNames(linkClass, styles.all)}>
                All {total} actions
              </Link>
            )}
          </>
        )
      }
    </AdminAnswer>
  </PageCard>
)
