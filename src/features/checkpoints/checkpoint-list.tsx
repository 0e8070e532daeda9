import { useAtomValue } from 'jotai'
import { useId, useRef, useState } from 'react'
import type { CheckpointView } from '../../db/view'
import type { CheckpointId } from '../../domain/ids'
import { nowAtom } from '../../state/live-data'
import { createDragRegistry } from '../../ui/drag-registry'
import { MOVE_HELP } from '../../ui/move-words'
import { SortingWhenLoaded } from '../../ui/sorting-when-loaded'
import styles from './checkpoint-list.module.css'
import { CheckpointRow } from './checkpoint-row'

interface CheckpointListProps {
  readonly checkpoints: readonly CheckpointView[]
  /** Stays the same when the server gives a checkpoint its id. */
  readonly keyOf: (id: CheckpointId) => string
  readonly nameOf: (id: CheckpointId) => string
  /** The current ratio of the pair; null where it is not known. */
  readonly ratio: number | null
  readonly onSetDefault: (id: CheckpointId) => void
  readonly onDelete: (id: CheckpointId) => void
  readonly onMove: (id: CheckpointId, to: number) => void
}

/** The checkpoints in their order, which dragging and a menu change. */
export function CheckpointList(props: CheckpointListProps) {
  const { checkpoints, keyOf, nameOf, ratio, onSetDefault, onDelete, onMove } = props
  const [registry] = useState(createDragRegistry)
  const now = useAtomValue(nowAtom)
  const list = useRef<HTMLUListElement>(null)
  const helpId = useId()
  const idOf = (key: string) => checkpoints.find(({ id }) => keyOf(id) === key)?.id

  const remove = (id: CheckpointId, index: number) => {
    // The row takes the focus along; the row that follows, or else the one before, goes on where it was.
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
      <ul ref={list} className={styles.list}>
        {checkpoints.map((checkpoint, index) => {
          const key = keyOf(checkpoint.id)
          return (
            <li key={key} ref={registry.slotRef(key)} className={styles.slot}>
              <CheckpointRow
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
