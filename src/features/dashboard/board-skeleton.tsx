import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import sectionStyles from './widget-section.module.css'
import styles from './board-skeleton.module.css'

/** A section of cards of the size of those to come. */
export function BoardSkeleton() {
  return (
    <div aria-busy="true" className={sectionStyles.section}>
      <VisuallyHidden role="status">Loading your pairs</VisuallyHidden>
      <div className={sectionStyles.title} aria-hidden="true">
        <Skeleton width="8rem" height="1.25rem" />
      </div>
      <div className={sectionStyles.grid} aria-hidden="true">
        {[0, 1, 2].map((index) => (
          <div key={index} className={styles.card}>
            <Skeleton width="40%" height="1.25rem" />
            <Skeleton width="55%" height="3rem" />
            <Skeleton width="70%" height="2rem" />
            <Skeleton height="4rem" />
          </div>
        ))}
      </div>
    </div>
  )
}
