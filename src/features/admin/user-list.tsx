import { Link } from 'wouter'
import type { AdminUser } from '../../contract/admin'
import { ADMIN_PAGE_SIZE } from '../../domain/admin-page'
import { formatShortDateTime, formatShortDay } from '../../ui/moment'
import { Skeleton } from '../../ui/skeleton'
import { TierBadge } from '../../ui/tier-badge'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { type FromList, userAddress } from './addresses'
import { UserFlags } from './user-flags'
import styles from './user-list.module.css'

interface UserListProps {
  readonly users: readonly AdminUser[]
  /** Milliseconds. */
  readonly now: number
  /** The address of this list, to come back to. */
  readonly here: string
}

/** Accounts, one a row that leads to it; a table where there is room for one. */
export function UserList({ users, now, here }: UserListProps) {
  return (
    <>
      <Captions />
      <ul aria-label="Users">
        {users.map((user) => (
          <li key={user.id} className={styles.row}>
            <p className={styles.who}>
              <Link
                href={userAddress(user.id)}
                state={{ from: here } satisfies FromList}
                className={styles.email ?? ''}
              >
                {user.email}
              </Link>
              <UserFlags user={user} />
            </p>
            <p className={styles.tier}>
              <TierBadge premium={user.has_premium_access} />
            </p>
            <p className={styles.login}>
              <span className={styles.label}>Last login </span>
              {user.last_login_at === null ? 'never' : formatShortDateTime(Date.parse(user.last_login_at), now)}
            </p>
            <p className={styles.joined}>
              <span className={styles.label}>Joined </span>
              {formatShortDay(Date.parse(user.created_at))}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What each row says of itself where it has no captions. */
const Captions = () => (
  <div aria-hidden="true" className={styles.captions}>
    <span>Account</span>
    <span>Tier</span>
    <span>Last login</span>
    <span>Joined</span>
  </div>
)

/** The size of the list that comes. */
export function UserListSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">Loading users</VisuallyHidden>
      <Captions />
      <div aria-hidden="true">
        {Array.from({ length: ADMIN_PAGE_SIZE }, (_, index) => (
          <div key={index} className={styles.row}>
            <Skeleton className={styles.who} width={`${45 + ((index * 17) % 40)}%`} height="1.25rem" />
            <Skeleton className={styles.tier} width="4rem" height="1.25rem" />
            <Skeleton className={styles.login} width="6rem" height="1.25rem" />
            <Skeleton className={styles.joined} width="5rem" height="1.25rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
