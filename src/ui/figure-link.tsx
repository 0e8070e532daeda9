import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names'
import styles from './figure-link.module.css'

/** The figures that the page "What the figures mean" explains; each is the id of its section there. */
export type ExplainedFigure =
  | 'closes'
  | 'ages'
  | 'percentile'
  | 'z'
  | 'legs'
  | 'pegged'
  | 'chance'
  | 'half-life'
  | 'reversion'
  | 'correlation'
  | 'excursions'
  | 'touches'
  | 'range'
  | 'bands'
  | 'period'
  | 'backtest'
  | 'break-even'

interface FigureLinkProps {
  readonly figure: ExplainedFigure
  /** The figure's own words, such as "Half-life". */
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** A figure's name as a quiet link to its explanation. */
export const FigureLink = ({ figure, children, className }: FigureLinkProps) => (
  <Link href={`/figures#${figure}`} className={classNames(styles.link, className)}>
    {children}
  </Link>
)
