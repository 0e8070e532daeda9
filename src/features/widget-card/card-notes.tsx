import { CloudUpload, History } from 'lucide-react'
import type { CoinId } from '../../domain/ids'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './card-notes.module.css'
import { useStaleAge } from './slices'

interface CardNotesProps {
  readonly coinA: CoinId
  readonly coinB: CoinId
  /** Changes of this widget that the server has not answered. */
  readonly waiting: number
}

/** What the user should know of the figures above: that they are old, or that a change has not arrived yet. */
export function CardNotes({ coinA, coinB, waiting }: CardNotesProps) {
  const age = useStaleAge(coinA, coinB)
  const waitingText = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  return (
    <div className={styles.notes}>
      {age !== null && (
        <p className={styles.stale}>
          <History aria-hidden="true" />
          <VisuallyHidden>Prices from </VisuallyHidden>
          {age}
        </p>
      )}
      {waiting > 0 && (
        <p className={styles.waiting} title={waitingText}>
          <CloudUpload aria-hidden="true" />
          <span className={styles.text}>{waitingText}</span>
        </p>
      )}
    </div>
  )
}
