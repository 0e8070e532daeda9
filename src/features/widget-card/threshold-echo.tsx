import type { AlertSide } from '../../domain/alerts'
import type { ThresholdEntry } from '../../domain/threshold-entry'
import { distanceFromNow, formatStored, isFarFromNow } from '../../domain/threshold-words'
import styles from './threshold-echo.module.css'

interface ThresholdEchoProps {
  readonly side: AlertSide
  readonly entry: ThresholdEntry
  /** Null: not known. */
  readonly ratio: number | null
  readonly alertsOn: boolean
  /** The other side has a threshold; without one it gets its own when alerts are switched on. */
  readonly isOtherSet: boolean
  /** Of the question that names the choices. */
  readonly questionId: string
}

const PROMISES = {
  high: 'You are alerted when the ratio rises above this value.',
  low: 'You are alerted when the ratio falls below this value.',
} as const

/** Says what else switching alerts on changes, as the switch on the card does. */
const OTHER_SIDE = {
  high: 'Switching them on also sets Low, 5\u00A0% below now.',
  low: 'Switching them on also sets High, 5\u00A0% above now.',
} as const

/** The number that was understood, how far it lies from the ratio, and what becomes of it. */
export function ThresholdEcho({ side, entry, ratio, alertsOn, isOtherSet, questionId }: ThresholdEchoProps) {
  return (
    <span role="status" className={styles.echo}>
      {entry.kind === 'ambiguous' ? (
        <span id={questionId} className={styles.warn}>
          Two numbers are written like this. Which one do you mean?
        </span>
      ) : (
        <>
          {entry.kind !== 'invalid' && <Understood value={entry.value} ratio={ratio} />}
          <span className={entry.kind === 'disarmed' ? styles.warn : undefined}>
            {entry.kind === 'disarmed' ? entry.message : PROMISES[side]}
          </span>
          {!alertsOn && (
            <span>
              Alerts of this pair are off: nobody is told.
              {!isOtherSet && ratio !== null && ` ${OTHER_SIDE[side]}`}
            </span>
          )}
        </>
      )}
    </span>
  )
}

function Understood({ value, ratio }: { readonly value: number; readonly ratio: number | null }) {
  const distance = distanceFromNow(value, ratio)
  return (
    <>
      <span className={styles.value}>
        = {formatStored(value)}
        {distance !== null && `, ${distance}`}
      </span>
      {isFarFromNow(value, ratio) && (
        <span className={styles.warn}>
          More than 50{'\u00A0'}% away from the current ratio: is this the number you mean?
        </span>
      )}
    </>
  )
}
