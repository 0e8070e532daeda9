import { useSetAtom } from 'jotai'
import { Star, Trash2 } from 'lucide-react'
import { useId, type KeyboardEvent, type PointerEvent } from 'react'
import type { CheckpointView } from '../../db/view'
import { relativeChange } from '../../domain/change'
import { formatRatio } from '../../domain/format-ratio'
import { partMissingAtom } from '../../state/toasts'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { Change } from '../../ui/change'
import { formatShortDateTime } from '../../ui/moment'
import { MoveMenu } from '../../ui/move-menu'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './checkpoint-row.module.css'

interface CheckpointRowProps {
  readonly checkpoint: CheckpointView
  /** The current ratio of the pair; null where it is not known. */
  readonly ratio: number | null
  /** Milliseconds. */
  readonly now: number
  /** Place in the list, from 0, and the list's length. */
  readonly index: number
  readonly count: number
  /** The id of the element that tells how rows are moved. */
  readonly moveHelp: string
  readonly onHandlePointerDown: (event: PointerEvent) => void
  readonly onHandleKeyDown: (event: KeyboardEvent) => void
  readonly onSetDefault: () => void
  readonly onDelete: () => void
  readonly onMove: (to: number) => void
}

/** One saved ratio: what it was, when, and what has become of it since. */
export function CheckpointRow(props: CheckpointRowProps) {
  const { checkpoint, ratio, now, index, count, moveHelp, onSetDefault, onDelete, onMove } = props
  const { isDefault, timestamp } = checkpoint
  const id = useId()
  const missing = useSetAtom(partMissingAtom)
  return (
    <div className={styles.row} data-default={isDefault}>
      <div className={styles.handle}>
        {count > 1 && (
          <MoveMenu
            label="Move"
            describedBy={`${id} ${moveHelp}`}
            index={index}
            count={count}
            onHandlePointerDown={props.onHandlePointerDown}
            onHandleKeyDown={props.onHandleKeyDown}
            onMove={onMove}
            onMissing={missing}
          />
        )}
      </div>
      <div className={styles.text}>
        <p id={id} className={styles.main}>
          <span className={styles.ratio}>{formatRatio(checkpoint.ratio)}</span>
          {isDefault && <Badge tone="accent">Default</Badge>}
        </p>
        <p className={styles.detail}>
          <time dateTime={timestamp}>{formatShortDateTime(Date.parse(timestamp), now)}</time>
          <span className={styles.since}>
            <VisuallyHidden>Since checkpoint </VisuallyHidden>
            <Change change={relativeChange(ratio, checkpoint.ratio)} />
          </span>
        </p>
      </div>
      <IconButton
        label="Set as default"
        aria-pressed={isDefault}
        aria-describedby={id}
        className={styles.star}
        onClick={() => {
          if (!isDefault) onSetDefault()
        }}
      >
        <Star aria-hidden="true" />
      </IconButton>
      <IconButton label="Delete" aria-describedby={id} data-delete="" className={styles.delete} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </div>
  )
}
