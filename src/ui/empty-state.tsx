import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  /** Absent: without a sign. */
  readonly icon?: LucideIcon
  /** Id of the heading among the children. */
  readonly labelledBy: string
  readonly className: string | undefined
  readonly children: ReactNode
}

/** In the middle of the screen or of a part of it: nothing to show, why, and the way on. */
export const EmptyState = ({ icon: Icon, labelledBy, className, children }: EmptyStateProps) => (
  <section className={classNames(styles.state, className)} aria-labelledby={labelledBy}>
    {Icon && <Icon aria-hidden="true" className={styles.icon} />}
    {children}
  </section>
)
