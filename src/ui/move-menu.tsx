import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useCallback, useRef, useState } from 'react'
import { IconButton } from './button'
import { lateDialog } from './late-component'
import styles from './move-menu.module.css'

const MoveChoices = lateDialog(async () => (await import('./menu')).MoveChoices)

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
  /** @param to the new place, from 0 */
  readonly onMove: (to: number) => void
}

/** The handle that a thing is dragged by. A click or Enter opens a menu that moves it without dragging. */
export function MoveMenu(props: MoveMenuProps) {
  const { label, describedBy, index, count, onHandlePointerDown, onHandleKeyDown, onMove } = props
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
        icon={GripVertical}
        className={styles.handle}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-describedby={describedBy}
        {...listeners}
      />
      {open && (
        <MoveChoices label={label} handle={handle} index={index} count={count} onClose={close} onMove={onMove} />
      )}
    </div>
  )
}

/** Accessible description of a handle. */
export const MOVE_HELP =
  'Press Enter for a menu of moves, or Space to pick it up, arrow keys to move it, Space to drop it and Escape to put it back.'

export const movedTo = (name: string, place: number, count: number): string =>
  `${name} moved to position ${place + 1} of ${count}.`

/** `keys` with the one at `from` moved to `to`; both are clamped to the list. */
export function moved<T>(keys: readonly T[], from: number, to: number): readonly T[] {
  const rest = [...keys]
  const taken = rest.splice(from, 1)
  rest.splice(Math.max(0, to), 0, ...taken)
  return rest
}

interface HandleActions {
  readonly onPointerDown: ((event: PointerEvent) => void) | undefined
  /** Undefined where nothing can be picked up. */
  readonly onKeyDown: ((event: KeyboardEvent) => void) | undefined
  readonly onPress: () => void
}

/**
 * Listeners for a button that the user presses by a click or Enter, and that picks something up by Space: the click that the
 * browser makes of Space does not press it.
 */
export function useHandle({ onPointerDown, onKeyDown, onPress }: HandleActions) {
  const spaceDown = useRef(false)
  return {
    onPointerDown: (event: PointerEvent) => {
      // A browser makes no click of a Space that picked something up.
      spaceDown.current = false
      onPointerDown?.(event)
    },
    onKeyDown: (event: KeyboardEvent) => {
      spaceDown.current = onKeyDown !== undefined && event.key === ' '
      onKeyDown?.(event)
    },
    onClick: () => {
      if (!spaceDown.current) onPress()
      spaceDown.current = false
    },
  }
}
