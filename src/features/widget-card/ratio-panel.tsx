import type { ReactNode } from 'react'
import type { CoinId } from '../../domain/ids'
import { formatRatio } from '../../domain/format-ratio'
import { DayChange } from './day-change'
import { directionOf } from '../../ui/direction'
import { Figure } from './figure'
import styles from './ratio-panel.module.css'
import { useRatio, useSummary } from './slices'
import { Sparkline } from './sparkline'
import { TrendSteps } from './trend-steps'

interface RatioPanelProps {
  readonly coinA: CoinId
  readonly coinB: CoinId
  /** What the user should know of the ratio, beside its label. */
  readonly notes: ReactNode
  readonly action: ReactNode
}

/** The answer to "is it at an extreme?": the ratio, how it moved, and the last day as a line. */
export function RatioPanel({ coinA, coinB, notes, action }: RatioPanelProps) {
  const ratio = useRatio(coinA, coinB)
  const summary = useSummary(coinA, coinB)
  return (
    <div className={styles.panel}>
      <div className={styles.now}>
        <dl className={styles.current}>
          <dt className={styles.label}>Current ratio</dt>
          <dd>
            <Figure className={styles.ratio} value={ratio} format={formatRatio} />
          </dd>
        </dl>
        <div className={styles.side}>
          {notes}
          <div className={styles.spark}>
            {summary !== undefined && (
              <Sparkline
                times={summary.sparkTimes}
                values={summary.spark}
                direction={directionOf(summary.change24h ?? 0)}
              />
            )}
          </div>
        </div>
      </div>
      <div className={styles.lately}>
        <dl className={styles.stats}>
          <DayChange change={summary?.change24h} />
          <TrendSteps steps={summary?.trend} />
        </dl>
        {action}
      </div>
    </div>
  )
}
