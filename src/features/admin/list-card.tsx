import type { ReactNode } from 'react'
import styles from './list-card.module.css'

interface ListCardProps {
  readonly label: string
  /** What is shown gives way to something else that is being asked for. */
  readonly pending: boolean
  readonly children: ReactNode
}

/** What a list of the admin area stands on. */
export function ListCard({ label, pending, children }: ListCardProps) {
  return (
    <section aria-label={label} aria-busy={pending || undefined} className={styles.card}>
      {children}
    </section>
  )
}
