import type { ReactNode } from 'react'
import type { ExplainedFigure } from '../../ui/figure-link'
import styles from './explanation.module.css'

interface ExplanationProps {
  readonly figure: ExplainedFigure
  readonly title: string
  readonly children: ReactNode
  /** The drawn example. */
  readonly drawing?: ReactNode
  /** The figure of the drawing, computed from it. */
  readonly caption?: ReactNode
}

/** One figure: plain words, and one drawn example. */
export const Explanation = ({ figure, title, children, drawing, caption }: ExplanationProps) => (
  <section id={figure} className={styles.explanation} aria-labelledby={`${figure}-title`} tabIndex={-1}>
    <h3 id={`${figure}-title`} className={styles.title}>
      {title}
    </h3>
    {children}
    {drawing !== undefined && (
      <figure className={styles.figure}>
        {drawing}
        {caption !== undefined && <figcaption className={styles.caption}>{caption}</figcaption>}
      </figure>
    )}
  </section>
)
