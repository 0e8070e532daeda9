import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names'
import styles from './board-line.module.css'

interface BoardLineProps {
  readonly icon: LucideIcon
  readonly text: string
  readonly className: string | undefined
  /** The ways out of what the text says. */
  readonly children: ReactNode
}

/** One quiet sentence above the cards, with what the user may do about it. */
export const BoardLine = ({ icon: Icon, text, className, children }: BoardLineProps) => (
  <p className={classNames(styles.line, className)}>
    <span className={styles.state}>
      <Icon aria-hidden="true" />
      {text}
    </span>
    {children}
  </p>
)
