import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './user-page.module.css'

/** The size of an account with one subscription. */
export const UserSkeleton = () => (
  <div aria-busy="true" className={styles.columns}>
    <VisuallyHidden role="status">Loading user data</VisuallyHidden>
    <div className={styles.column}>
      <PageCard title="Premium">
        <Skeleton height="9.5rem" />
      </PageCard>
      <PageCard title="Actions">
        <Skeleton height="2.5rem" />
      </PageCard>
    </div>
    <div className={styles.column}>
      <PageCard title="Profile">
        <Skeleton height="15rem" />
      </PageCard>
      <PageCard title="Usage">
        <Skeleton height="7.25rem" />
      </PageCard>
    </div>
  </div>
)
