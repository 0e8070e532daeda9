import type { WidgetView } from '../../db/view'
import { sinceCheckpointWords } from '../../domain/coin-moves'
import { defaultOf } from '../../state/use-default-checkpoint'
import { useMoveWords } from '../../state/use-move-words'
import styles from './pair-head.module.css'

/** The change since the pair's default checkpoint, and which coin has made it; nothing where that is not known. */
export function SinceCheckpoint({ widget }: { readonly widget: WidgetView }) {
  const words = useMoveWords(widget, defaultOf(widget.checkpoints)?.prices ?? null, sinceCheckpointWords)
  return words !== null && <p className={styles.since}>{words}</p>
}
