import { Bell, BellOff, Plus } from 'lucide-react'
import { useId } from 'react'
import type { AlertView, WidgetView } from '../../db/view'
import { type AlertSide, SIDE_NAMES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { Direction } from '../../ui/direction'
import { isWatched } from '../../state/local-epochs'
import { HiddenLabel } from './hidden-label'
import { useArmed } from './figure'
import styles from './threshold-boxes.module.css'

interface ThresholdBoxesProps {
  readonly widget: WidgetView
  /** The sides whose thresholds the ratio is beyond. */
  readonly crossed: readonly AlertSide[]
  readonly onEdit: (side: AlertSide) => void
}

/** Low on the left, high on the right, as on the bar above. */
export function ThresholdBoxes({ widget, crossed, onEdit }: ThresholdBoxesProps) {
  const armed = useArmed(widget)
  const box = (side: AlertSide) => (
    <ThresholdBox
      side={side}
      threshold={widget.alerts[side].threshold}
      armed={armed[side]}
      crossed={crossed.includes(side)}
      alertsOn={isWatched(widget)}
      symbol={widget.coinA.symbol}
      onEdit={onEdit}
    />
  )
  return (
    <div className={styles.boxes}>
      {box('low')}
      {box('high')}
    </div>
  )
}

interface ThresholdBoxProps extends Pick<AlertView, 'threshold'> {
  readonly side: AlertSide
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

const MEANINGS = { high: 'dear', low: 'cheap' } as const
const DIRECTIONS = { high: 'up', low: 'down' } as const

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
function ThresholdBox({ side, threshold, armed, crossed, alertsOn, symbol, onEdit }: ThresholdBoxProps) {
  const id = useId()
  const ArmedIcon = armed && alertsOn ? Bell : BellOff
  return (
    <div className={styles.cell}>
      <HiddenLabel htmlFor={id} text={`${SIDE_NAMES[side]} threshold`} />
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
          <span className={styles.label}>{SIDE_NAMES[side]}</span>
          {threshold !== null && (
            <span className={styles.state}>
              {crossed ? <Direction direction={DIRECTIONS[side]} /> : <ArmedIcon aria-hidden="true" />}
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
