import type { Ref } from 'react'
import type { AlertSide } from '../../domain/alerts'
import { type ThresholdEntry, thresholdAt } from '../../domain/threshold-entry'
import { distanceFromNow, formatStored } from '../../domain/threshold-words'
import { Button } from '../../ui/button'
import styles from './threshold-choices.module.css'

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
