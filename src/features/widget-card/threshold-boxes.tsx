import { Bell, BellOff, Plus } from 'lucide-react'
import { useId } from 'react'
import type { WidgetView } from '../../db/view'
import { type AlertSide, SIDE_NAMES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { isWatched } from '../../state/local-epochs'
import { Direction } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { useArmed, useStalePrices } from './figure'
import { SettingBox, SettingValue } from './setting-value'
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
  const isStale = useStalePrices(widget) !== null
  return (
    <div className={styles.boxes}>
      {(['low', 'high'] as const).map((side) => (
        <ThresholdBox
          key={side}
          widget={widget}
          side={side}
          armed={armed[side]}
          stale={isStale}
          crossed={crossed.includes(side)}
          onEdit={() => onEdit(side)}
        />
      ))}
    </div>
  )
}

interface ThresholdBoxProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  /** The side would fire at the next crossing, if the pair's alerts are on. */
  readonly armed: boolean
  /** A price is too old for an alert: the side is not judged until a new one comes. */
  readonly stale: boolean
  /** The ratio is beyond the threshold. */
  readonly crossed: boolean
  readonly onEdit: () => void
}

const MEANINGS = { high: 'dear', low: 'cheap' } as const
const DIRECTIONS = { high: 'up', low: 'down' } as const

type SideState = Pick<ThresholdBoxProps, 'crossed' | 'armed' | 'stale'> & { readonly alertsOn: boolean }

const wordOf = ({ crossed, armed, stale, alertsOn }: SideState): string => {
  if (crossed) return 'Crossed'
  if (!armed) return 'Disarmed'
  if (!alertsOn) return 'Alerts off'
  return stale ? 'Not judged' : 'Armed'
}

const stateOf = ({ armed, stale, alertsOn }: SideState): string => {
  if (alertsOn && armed) return stale ? 'armed, not judged while a price is old' : 'armed'
  if (alertsOn) return 'disarmed'
  return armed ? 'alerts are off, armed once they are on' : 'disarmed, alerts are off'
}

/** One threshold and its state. A click edits it. */
function ThresholdBox({ widget, side, armed, stale, crossed, onEdit }: ThresholdBoxProps) {
  const id = useId()
  const { threshold } = widget.alerts[side]
  const alertsOn = isWatched(widget)
  const state = { crossed, armed, stale, alertsOn }
  const isJudged = armed && alertsOn && !stale
  const ArmedIcon = isJudged ? Bell : BellOff
  return (
    <div className={styles.cell}>
      {/* The button's values are text inside it, and its description: an aria-label would replace them. */}
      <VisuallyHidden>
        <label htmlFor={id}>{SIDE_NAMES[side]} threshold</label>
      </VisuallyHidden>
      <SettingBox
        id={id}
        aria-describedby={`${id}-state`}
        className={styles.box}
        data-side={side}
        data-state={threshold === null ? 'none' : crossed ? 'crossed' : isJudged ? 'watched' : 'quiet'}
        onClick={onEdit}
      >
        <span className={styles.top}>
          <span className={styles.label}>{SIDE_NAMES[side]}</span>
          {threshold !== null && (
            <span className={styles.state}>
              {crossed ? <Direction direction={DIRECTIONS[side]} /> : <ArmedIcon aria-hidden="true" />}
              {wordOf(state)}
            </span>
          )}
        </span>
        <span className={styles.bottom}>
          {threshold === null && (
            <span className={styles.set}>
              <Plus aria-hidden="true" />
              Set
            </span>
          )}
          <SettingValue waiting={widget.waiting} value={threshold} className={styles.value} />
          <span className={styles.meaning}>
            {widget.coinA.symbol} {MEANINGS[side]}
          </span>
        </span>
        <span id={`${id}-state`} hidden>
          {threshold === null
            ? 'not set'
            : [formatRatio(threshold), crossed && 'crossed', stateOf(state)].filter(Boolean).join(', ')}
        </span>
      </SettingBox>
    </div>
  )
}
