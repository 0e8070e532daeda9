import { useAtomValue } from 'jotai'
import { Star, Trash2 } from 'lucide-react'
import { type ComponentProps, useId, useRef, useState } from 'react'
import type { CheckpointView, PairView } from '../../db/view'
import { formatPercent, formatRatio } from '../../domain/format-number'
import type { CheckpointId } from '../../domain/ids'
import { relativeChange } from '../../domain/pair'
import { nowAtom } from '../../state/live-data'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { Direction, directionOf, toneOf } from '../../ui/direction'
import { createDragRegistry } from '../../ui/drag-registry'
import { SortingWhenLoaded } from '../../ui/late-sorting'
import { formatShortDateTime } from '../../domain/local-time'
import { MOVE_HELP, MoveMenu } from '../../ui/move-menu'
import stack from '../../ui/stack.module.css'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './checkpoint-list.module.css'
import { useMoveWords } from '../../state/use-move-words'

interface CheckpointListProps {
  readonly pair: PairView
  readonly checkpoints: readonly CheckpointView[]
  /** Stays the same when the server gives a checkpoint its id. */
  readonly keyOf: (id: CheckpointId) => string
  readonly nameOf: (id: CheckpointId) => string
  /** The pair's current ratio; null: not known. */
  readonly ratio: number | null
  readonly onSetDefault: (id: CheckpointId) => void
  readonly onDelete: (id: CheckpointId) => void
  readonly onMove: (id: CheckpointId, to: number) => void
}

/** The checkpoints in their order, which dragging and a menu change. */
export function CheckpointList(props: CheckpointListProps) {
  const { pair, checkpoints, keyOf, nameOf, ratio, onSetDefault, onDelete, onMove } = props
  const [registry] = useState(createDragRegistry)
  const now = useAtomValue(nowAtom)
  const list = useRef<HTMLUListElement>(null)
  const helpId = useId()
  const idOf = (key: string) => checkpoints.find(({ id }) => keyOf(id) === key)?.id

  const remove = (id: CheckpointId, index: number) => {
    // The focus would go with the row: it moves to the next row's button, or else to the one before.
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-delete]')
    const next = buttons?.[index + 1] ?? buttons?.[index - 1]
    next?.focus({ preventScroll: true })
    onDelete(id)
  }
  return (
    <>
      <p id={helpId} hidden>
        {MOVE_HELP}
      </p>
      <ul ref={list} className={stack.gap2}>
        {checkpoints.map((checkpoint, index) => {
          const key = keyOf(checkpoint.id)
          return (
            <li key={key} ref={registry.slotRef(key)} className={styles.slot}>
              <CheckpointRow
                pair={pair}
                checkpoint={checkpoint}
                ratio={ratio}
                now={now}
                index={index}
                count={checkpoints.length}
                moveHelp={helpId}
                onHandlePointerDown={(event) => registry.start.pointerDown(key, event)}
                onHandleKeyDown={(event) => registry.start.keyDown(key, event)}
                onSetDefault={() => onSetDefault(checkpoint.id)}
                onDelete={() => remove(checkpoint.id, index)}
                onMove={(to) => onMove(checkpoint.id, to)}
              />
            </li>
          )
        })}
      </ul>
      {checkpoints.length > 1 && (
        <SortingWhenLoaded
          keys={checkpoints.map(({ id }) => keyOf(id))}
          nameOf={(key) => nameOf(idOf(key) ?? (key as CheckpointId))}
          registry={registry}
          onMove={(key, to) => {
            const id = idOf(key)
            if (id !== undefined) onMove(id, to)
          }}
        />
      )}
    </>
  )
}

type MoveProps = 'index' | 'count' | 'onHandlePointerDown' | 'onHandleKeyDown' | 'onMove'

interface CheckpointRowProps extends Pick<ComponentProps<typeof MoveMenu>, MoveProps> {
  readonly pair: PairView
  readonly checkpoint: CheckpointView
  readonly ratio: CheckpointListProps['ratio']
  /** Milliseconds. */
  readonly now: number
  /** Id of the element that says how rows are moved. */
  readonly moveHelp: string
  readonly onSetDefault: () => void
  readonly onDelete: () => void
}

/** One saved ratio, its time, the change since, and which coin has made it. */
function CheckpointRow(props: CheckpointRowProps) {
  const { pair, checkpoint, ratio, now, moveHelp, onSetDefault, onDelete, ...move } = props
  const { isDefault, timestamp } = checkpoint
  const id = useId()
  const moves = useMoveWords(pair, checkpoint.prices)
  return (
    <div className={styles.row} data-default={isDefault}>
      <div className={styles.handle}>
        {move.count > 1 && <MoveMenu {...move} label="Move" describedBy={`${id} ${moveHelp}`} />}
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
          {moves !== null && <span>{moves}</span>}
        </p>
      </div>
      <IconButton
        label="Set as default"
        icon={Star}
        aria-pressed={isDefault}
        aria-describedby={id}
        className={styles.star}
        onClick={() => {
          if (!isDefault) onSetDefault()
        }}
      />
      <IconButton
        label="Delete"
        icon={Trash2}
        aria-describedby={id}
        data-delete=""
        className={styles.delete}
        onClick={onDelete}
      />
    </div>
  )
}

/** A change in sign, arrow and colour. `change`: fraction, 0.05 is +5 %; null: not known. */
function Change({ change }: { readonly change: number | null }) {
  const direction = directionOf(change ?? 0)
  return (
    <span className={classNames(styles.change, toneOf(direction))}>
      {change !== null && <Direction direction={direction} />}
      {formatPercent(change)}
    </span>
  )
}
