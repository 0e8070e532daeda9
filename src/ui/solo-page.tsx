import type { ReactNode } from 'react'
import styles from './solo-page.module.css'

interface SoloPageProps {
  readonly title: string
  /** One or two sentences below the heading. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** What a page outside the shell shows: one subject on one card. */
export function SoloPage({ title, lead, children }: SoloPageProps) {
  return (
    <div className={styles.card}>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}
