import { atom, type Atom } from 'jotai'
import { type ReactNode, useId, useMemo } from 'react'
import type { WidgetView } from '../../db/view'
import { formatRatio } from '../../domain/format-number'
import { relativeChange } from '../../domain/pair-summary'
import { classNames } from '../../ui/class-names'
import { defaultOf } from './checkpoint-field'
import { Figure, type PairFigures } from './figure'
import { RangeBar } from './range-bar'
import styles from './ratio-panel.module.css'
import { ChartButton } from './sparkline'
import { ChangeStat, TrendSteps } from './stat'

interface RatioButtonProps {
  readonly ratio: Atom<number | null>
  /** A click saves the ratio as a checkpoint; otherwise it does nothing. */
  readonly armed: boolean
  /** Id of the element that its label points at. */
  readonly id: string
  readonly onSave: () => void
}

/** The largest thing on the card. A button all the time, so that arming moves nothing; it acts only while armed. */
function RatioButton({ ratio, armed, id, onSave }: RatioButtonProps) {
  const valueId = `${id}-value`
  return (
    <button
      type="button"
      id={id}
      aria-describedby={valueId}
      title={armed ? 'Save as checkpoint' : undefined}
      className={classNames(styles.button, armed && styles.armed)}
      onClick={armed ? onSave : undefined}
    >
      <Figure id={valueId} source={ratio} format={formatRatio} />
    </button>
  )
}

interface RatioPanelProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** Notes on the ratio for the user, beside its label. */
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
      <RangeBar figures={figures} alerts={widget.alerts} checkpoint={checkpoint} />
    </div>
  )
}
