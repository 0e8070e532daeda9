import type { ReactNode } from 'react'
import styles from './page.module.css'
import text from './text.module.css'
import stack from './stack.module.css'

interface PageProps {
  readonly title: string
  /** One sentence below the heading. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** A screen of text and cards: its heading, and its content in one readable column. */
export function Page({ title, lead, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title: string
  readonly children: ReactNode
}

/** One subject of a page. */
export function PageCard({ title, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}

interface SoloPageProps {
  readonly title: string
  /** One or two sentences below the heading. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** Page outside the shell: one subject on one card. */
export function SoloPage({ title, lead, children }: SoloPageProps) {
  return (
    <div className={styles.soloPageCard}>
      <header className={stack.gap1}>
        <h1 className={styles.soloPageTitle}>{title}</h1>
        {lead !== undefined && <p className={text.muted}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}
