import type { Atom } from 'jotai'
import { ChartLine } from 'lucide-react'
import type { PairSummary } from '../../../workers/api'
import styles from './chart-button.module.css'
import { Sparkline } from './sparkline'

interface ChartButtonProps {
  readonly summary: Atom<PairSummary | undefined>
  readonly onClick: () => void
}

/** The last day as a line; the whole chart is behind it. */
export function ChartButton({ summary, onClick }: ChartButtonProps) {
  return (
    <button type="button" aria-label="Open chart" title="Open chart" className={styles.button} onClick={onClick}>
      <Sparkline summary={summary} />
      <ChartLine aria-hidden="true" className={styles.icon} />
    </button>
  )
}
