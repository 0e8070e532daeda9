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
  /** The pair's alerts are on: without them nothing fires, armed or not. */
  readonly alertsOn: boolean
  /** Of the first coin, whose price the threshold is about. */
  readonly symbol: string
  readonly onEdit: (side: AlertSide) => void
}

const WORDS = { high: 'High', low: 'Low' } as const
const MEANINGS = { high: 'dear', low: 'cheap' } as const

const wordOf = (crossed: boolean, armed: boolean, alertsOn: boolean): string => {
  if (crossed) return 'Crossed'
  if (!armed) return 'Disarmed'
  return alertsOn ? 'Armed' : 'Alerts off'
}

/** Without alerts a side is armed for later at most. */
const stateOf = (armed: boolean, alertsOn: boolean): string => {
  if (alertsOn) return armed ? 'armed' : 'disarmed'
  return armed ? 'alerts are off, armed once they are on' : 'disarmed, alerts are off'
}

/** One threshold and what has become of it. A click edits it. */
export function ThresholdBox({ side, threshold, armed, crossed, alertsOn, symbol, onEdit }: ThresholdBoxProps) {
  const id = useId()
  const ArmedIcon = armed && alertsOn ? Bell : BellOff
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
              {wordOf(crossed, armed, alertsOn)}
            </span>
          )}
        </span>
        <span className={styles.bottom}>
          {threshold === null ? (
            <span className={styles.set}>
              <Plus aria-hidden="true" />
              Set
            </span>
          ) : (
            <span className={styles.value}>{formatRatio(threshold)}</span>
          )}
          <span className={styles.meaning}>
            {symbol} {MEANINGS[side]}
          </span>
        </span>
        <span id={`${id}-state`} hidden>
          {threshold === null
            ? 'not set'
            : [formatRatio(threshold), crossed && 'crossed', stateOf(armed, alertsOn)].filter(Boolean).join(', ')}
        </span>
      </button>
    </div>
  )
}
