import { PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import stack from '../../ui/stack.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden'
import pageStyles from './user-page.module.css'
import styles from './user-skeleton.module.css'

/** As large as an account with one subscription. */
export const UserSkeleton = () => (
  <div aria-busy="true" className={pageStyles.columns}>
    <VisuallyHidden role="status">Loading user data</VisuallyHidden>
    <div className={pageStyles.column}>
      <PageCard title="Premium">
        <PremiumSkeleton />
      </PageCard>
      <PageCard title="Sessions">
        <div className={stack.gap3}>
          <Skeleton width="80%" height="1.25rem" />
          <Skeleton width="10.5rem" height="2.5rem" />
        </div>
      </PageCard>
      <PageCard title="Actions">
        <ActionsSkeleton />
      </PageCard>
    </div>
    <div className={pageStyles.column}>
      <PageCard title="Profile">
        <FactsSkeleton count={8} />
      </PageCard>
      <PageCard title="Usage">
        <FactsSkeleton count={4} />
      </PageCard>
    </div>
  </div>
)

/** As large as one subscription and the buttons. */
export const PremiumSkeleton = () => (
  <div aria-hidden="true" className={stack.gap5}>
    <RowSkeleton lines={3} />
    <Skeleton width="80%" height="1.25rem" />
    <div className={styles.buttons}>
      <Skeleton height="2.5rem" />
      <Skeleton height="2.5rem" />
    </div>
  </div>
)

/** As large as one action. */
export const ActionsSkeleton = () => <RowSkeleton lines={2} />

const RowSkeleton = ({ lines }: { readonly lines: number }) => (
  <div aria-hidden="true" className={styles.row}>
    <Skeleton className={styles.mark} width="2rem" height="2rem" />
    <div className={stack.gap1}>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} width={`${70 - index * 15}%`} height="1rem" />
      ))}
    </div>
  </div>
)

const FactsSkeleton = ({ count }: { readonly count: number }) => (
  <div aria-hidden="true" className={styles.facts}>
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className={styles.fact}>
        <Skeleton width={`${5 + ((index * 3) % 4)}rem`} height="1.25rem" />
        <Skeleton width={`${2 + ((index * 5) % 7)}rem`} height="1.25rem" />
      </div>
    ))}
  </div>
)
