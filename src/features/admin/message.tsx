import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './message.module.css'

interface MessageProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly role?: 'alert' | 'status'
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Stands in the place of rows: that there are none, or why. */
export function Message({ icon: Icon, title, role, children, action }: MessageProps) {
  return (
    <div className={styles.message}>
      <Icon aria-hidden="true" className={styles.icon} />
      <div role={role} className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <p>{children}</p>}
      </div>
      {action}
    </div>
  )
}
