import { GripVertical } from 'lucide-react'
import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { IconButton } from './button'
import { lazyPart } from './lazy-part'
import styles from './move-menu.module.css'
import { useHandle } from './use-handle'

const MoveChoices = lazyPart(async () => (await import('./move-choices')).MoveChoices)

interface MoveMenuProps {
  /** The accessible name of handle and menu. */
  readonly label: string
  /** The id of the element that tells how things are moved. */
  readonly describedBy?: string | undefined
  /** Place in its list, from 0, and the length of the list. */
  readonly index: number
  readonly count: number
  readonly onHandlePointerDown: (event: PointerEvent) => void
  readonly onHandleKeyDown: (event: KeyboardEvent) => void
  /** `to`: the wished place. */
  readonly onMove: (to: number) => void
  /** The menu's code could not be had; `close` gives it up. */
  readonly onMissing: (close: () => void) => void
}

/** The handle that a thing is dragged by. A click or Enter opens a menu that moves it without dragging. */
export function MoveMenu(props: MoveMenuProps) {
  const { label, describedBy, index, count, onHandlePointerDown, onHandleKeyDown, onMove, onMissing } = props
  const [open, setOpen] = useState(false)
  const handle = useRef<HTMLButtonElement>(null)
  const listeners = useHandle({
    onPointerDown: onHandlePointerDown,
    onKeyDown: onHandleKeyDown,
    onPress: () => setOpen(!open),
  })
  const close = useCallback(() => setOpen(false), [])

  return (
    <div className={styles.root}>
      <IconButton
        ref={handle}
        size="sm"
        label={label}
        className={styles.handle}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-describedby={describedBy}
        {...listeners}
      >
        <GripVertical aria-hidden="true" />
      </IconButton>
      {open && (
        <MoveChoices
          label={label}
          handle={handle}
          index={index}
          count={count}
          onClose={close}
          onMove={onMove}
          onMissing={() => onMissing(close)}
        />
      )}
    </div>
  )
}
