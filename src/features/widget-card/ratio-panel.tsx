import { atom } from 'jotai'
import { useId, useMemo, type ReactNode } from 'react'
import type { WidgetView } from '../../db/view'
import { relativeChange } from '../../domain/change'
import { ChangeStat } from './change-stat'
import { ChartButton } from './chart-button'
import { defaultOf } from './checkpoint-view'
import { RangeBar } from './range-bar'
import { RatioButton } from './ratio-button'
import styles from './ratio-panel.module.css'
import type { PairFigures } from './slices'
import { TrendSteps } from './trend-steps'

interface RatioPanelProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** What the user should know of the ratio, beside its label. */
  readonly notes: ReactNode
  /** A click on the ratio saves it. */
  readonly arming: boolean
  readonly onSave: () => void
  readonly onOpenChart: () => void
}

/** The answer to "is it at an extreme?": the ratio, how it moved, and where it stands between its thresholds. */
export function RatioPanel({ widget, figures, notes, arming, onSave, onOpenChart }: RatioPanelProps) {
  const ratioId = useId()
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const { ratio, summary, change24h, trend } = figures
  const sinceCheckpoint = useMemo(() => atom((get) => relativeChange(get(ratio), checkpoint)), [ratio, checkpoint])
  return (
    <div className={styles.panel}>
      <div className={styles.heading}>
        <label htmlFor={ratioId} className={styles.label}>
          Current ratio
        </label>
        {notes}
      </div>
      <div className={styles.now}>
        <RatioButton ratio={ratio} armed={arming} id={ratioId} onSave={onSave} />
        <ChartButton summary={summary} onClick={onOpenChart} />
      </div>
      <dl className={styles.stats}>
        <ChangeStat label="24h change" change={change24h} />
        <TrendSteps trend={trend} />
        <ChangeStat label="Since checkpoint" change={sinceCheckpoint} />
      </dl>
      <RangeBar figures={figures} high={widget.highThreshold} low={widget.lowThreshold} checkpoint={checkpoint} />
    </div>
  )
}
