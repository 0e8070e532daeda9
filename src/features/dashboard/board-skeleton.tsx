import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import sectionStyles from './widget-section.module.css'
import styles from './board-skeleton.module.css'

/** Cards of the size of those to come. */
export function BoardSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">Loading your pairs</VisuallyHidden>
      <div className={sectionStyles.grid} aria-hidden="true">
        {[0, 1, 2].map((index) => (
          <div key={index} className={styles.card}>
            <Skeleton width="40%" height="1.5rem" />
            <Skeleton width="60%" height="2.5rem" />
            <Skeleton width="80%" height="2.5rem" />
            <Skeleton height="3rem" />
            <Skeleton height="4rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
