import type { WidgetView } from '../../db/view'
import { signedDecimals } from '../../domain/format-number'
import { relativeChange } from '../../domain/pair'
import { usePairRatio } from '../../state/live-data'
import { defaultOf } from '../../state/use-default-checkpoint'
import { useMoveWords } from '../../state/use-move-words'
import styles from './pair-head.module.css'

/** The change since the pair's default checkpoint, and which coin has made it; nothing where that is not known. */
export function SinceCheckpoint({ widget }: { readonly widget: WidgetView }) {
  const checkpoint = defaultOf(widget.checkpoints)
  const moves = useMoveWords(widget, checkpoint?.prices ?? null)
  const change = relativeChange(usePairRatio(widget.coinA.id, widget.coinB.id), checkpoint?.ratio ?? null)
  if (moves === null || change === null) return null
  return (
    <p className={styles.since}>
      Since checkpoint {signedDecimals(100 * change, 1)}&nbsp;%, {moves}
    </p>
  )
}
