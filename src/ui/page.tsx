import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names'
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
export const Page = ({ title, lead, children }: PageProps) => (
  <div className={styles.page}>
    <header className={styles.header}>
      <h1>{title}</h1>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
    </header>
    {children}
  </div>
)

/** One subject of a page. */
export const PageCard = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.card} aria-label={title}>
    <h2 className={styles.title}>{title}</h2>
    {children}
  </section>
)

/** Below the facts of a card: what the user may do about them. */
export const CardActions = ({ className, ...div }: ComponentProps<'div'>) => (
  <div {...div} className={classNames(styles.actions, className)} />
)

interface ListIconProps {
  readonly icon: LucideIcon
  readonly className?: string | undefined
}

/** The sign of a thing in the list of a card. */
export const ListIcon = ({ icon: Icon, className }: ListIconProps) => (
  <Icon aria-hidden="true" className={classNames(styles.listIcon, className)} />
)

interface SoloPageProps {
  readonly title: string
  /** One or two sentences below the heading. */
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** Page outside the shell: one subject on one card. */
export const SoloPage = ({ title, lead, children }: SoloPageProps) => (
  <div className={styles.soloPageCard}>
    <header className={stack.gap1}>
      <h1 className={styles.soloPageTitle}>{title}</h1>
      {lead !== undefined && <p className={text.muted}>{lead}</p>}
    </header>
    {children}
  </div>
)
