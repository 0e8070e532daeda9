import { CloudUpload, History } from 'lucide-react'
import type { AlertSide } from '../../domain/alerts'
import type { CoinId } from '../../domain/ids'
import { Badge } from '../../ui/badge'
import { Direction } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './card-notes.module.css'
import { EXTREMES, useStaleAge } from './figure'

/** The server has not answered the pair's creation yet; it can be used already. */
export function SavingLabel() {
  return <p className={styles.label}>Saving...</p>
}

interface CardNotesProps {
  readonly coinA: CoinId
  readonly coinB: CoinId
  /** The threshold that the ratio is beyond. */
  readonly extreme: AlertSide | null
  /** The server has not answered the pair's creation. */
  readonly pending: boolean
  /** Other changes of this widget that the server has not answered. */
  readonly waiting: number
}

/** Notes on the figures for the user: they are at an extreme, or old, or a mutation has not arrived yet. */
export function CardNotes({ coinA, coinB, extreme, pending, waiting }: CardNotesProps) {
  const age = useStaleAge(coinA, coinB)
  const waitingText = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  const count = [pending, waiting > 0, age !== null, extreme !== null].filter(Boolean).length
  return (
    <div className={styles.notes} data-count={count}>
      {pending && <SavingLabel />}
      {waiting > 0 && (
        <p className={styles.waiting} title={waitingText}>
          <CloudUpload aria-hidden="true" />
          <span className={styles.text}>{waitingText}</span>
        </p>
      )}
      {age !== null && (
        <p className={styles.stale}>
          <History aria-hidden="true" />
          <VisuallyHidden>Prices from </VisuallyHidden>
          {age}
        </p>
      )}
      {extreme !== null && (
        <Badge tone={EXTREMES[extreme].tone}>
          <Direction direction={EXTREMES[extreme].tone} />
          {EXTREMES[extreme].words}
        </Badge>
      )}
    </div>
  )
}
