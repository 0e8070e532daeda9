import type { Ref } from 'react'
import type { AlertSide } from '../../domain/alerts'
import {
  distanceFromNow,
  formatStored,
  isFarFromNow,
  thresholdAt,
  type ThresholdEntry,
} from '../../domain/threshold-entry'
import { Button } from '../../ui/button'
import styles from './threshold-help.module.css'

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

interface ThresholdChoicesProps {
  readonly ref: Ref<HTMLDivElement>
  readonly side: AlertSide
  readonly entry: ThresholdEntry
  /** Null: not known. */
  readonly ratio: number | null
  readonly questionId: string
  readonly onChoose: (value: number) => void
  /** One of the two numbers that the text may be. */
  readonly onAnswer: (value: number) => void
}

const STEPS = [2, 5, 10] as const
const SIGNS = { high: '+', low: '−' } as const

/** Thresholds by one press: at a distance from the ratio, or the two numbers that the typed text may be. */
export function ThresholdChoices({ ref, side, entry, ratio, questionId, onChoose, onAnswer }: ThresholdChoicesProps) {
  if (entry.kind === 'ambiguous') {
    return (
      <div ref={ref} role="group" aria-labelledby={questionId} className={styles.choices}>
        {entry.values.map((value) => (
          <Button key={value} size="sm" className={styles.reading} onClick={() => onAnswer(value)}>
            {formatStored(value)}
            <span className={styles.distance}>{distanceFromNow(value, ratio)}</span>
          </Button>
        ))}
      </div>
    )
  }
  if (ratio === null) return null
  return (
    <div ref={ref} role="group" aria-label="Distance from the current ratio" className={styles.choices}>
      {STEPS.map((percent) => {
        const value = thresholdAt(side, percent, ratio)
        return (
          value !== null && (
            <Button key={percent} size="sm" onClick={() => onChoose(value)}>
              {SIGNS[side]}
              {percent}
              {'\u00A0'}%
            </Button>
          )
        )
      })}
    </div>
  )
}
