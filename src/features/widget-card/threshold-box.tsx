import { Bell, BellOff, Plus } from 'lucide-react'
import { useId } from 'react'
import type { AlertSide } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-ratio'
import { Direction } from '../../ui/direction'
import { HiddenLabel } from './hidden-label'
import styles from './threshold-box.module.css'

interface ThresholdBoxProps {
  readonly side: AlertSide
  readonly threshold: number | null
  /** It would fire at the next crossing. */
  readonly armed: boolean
  /** The ratio is beyond it. */
  readonly crossed: boolean
  readonly alertsOn: boolean
  readonly onEdit: (side: AlertSide) => void
}

const WORDS = { high: 'High', low: 'Low' } as const

/** One threshold and what has become of it. A click edits it. */
export function ThresholdBox({ side, threshold, armed, crossed, alertsOn, onEdit }: ThresholdBoxProps) {
  const id = useId()
  const ArmedIcon = armed ? Bell : BellOff
  const armedWord = armed ? 'armed' : 'disarmed'
  return (
    <div className={styles.cell}>
      <HiddenLabel htmlFor={id} text={`${WORDS[side]} threshold`} />
      <button
        type="button"
        id={id}
        aria-describedby={`${id}-state`}
        className={styles.box}
        data-side={side}
        data-state={threshold === null ? 'none' : crossed ? 'crossed' : armed && alertsOn ? 'watched' : 'quiet'}
        onClick={() => onEdit(side)}
      >
        <span className={styles.top}>
          <span className={styles.label}>{WORDS[side]}</span>
          {threshold !== null && (
            <span className={styles.state}>
              {crossed ? <Direction direction={side === 'high' ? 'up' : 'down'} /> : <ArmedIcon aria-hidden="true" />}
              {crossed ? 'Crossed' : armed ? 'Armed' : 'Disarmed'}
            </span>
          )}
        </span>
        {threshold === null ? (
          <span className={styles.set}>
            <Plus aria-hidden="true" />
            Set
          </span>
        ) : (
          <span className={styles.value}>{formatRatio(threshold)}</span>
        )}
        <span id={`${id}-state`} hidden>
          {threshold === null
            ? 'not set'
            : [formatRatio(threshold), crossed && 'crossed', armedWord, !alertsOn && 'alerts are off']
                .filter(Boolean)
                .join(', ')}
        </span>
      </button>
    </div>
  )
}
