import { GripVertical } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { MOVE_HELP_ID, type DragStart } from '../../state/card-slot'
import { IconButton } from '../../ui/button'
import styles from './move-menu.module.css'

interface MoveMenuProps {
  readonly widgetKey: string
  readonly index: number
  readonly count: number
  readonly drag: DragStart
  readonly onMove: (key: string, to: number) => void
}

const choices = (index: number, count: number) => [
  { label: 'Move first', to: 0, possible: index > 0 },
  { label: 'Move earlier', to: index - 1, possible: index > 0 },
  { label: 'Move later', to: index + 1, possible: index < count - 1 },
  { label: 'Move last', to: count - 1, possible: index < count - 1 },
]

/** The handle that a card is dragged by. A click or Enter opens a menu that moves it without dragging. */
export function MoveMenu({ widgetKey, index, count, drag, onMove }: MoveMenuProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const spaceDown = useRef(false)

  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus()
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [open])

  const close = () => {
    setOpen(false)
    handle.current?.focus()
  }

  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      return
    }
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])]
    const target = nextItem(event.key, items.indexOf(document.activeElement as HTMLElement), items.length)
    if (target === null) return
    event.preventDefault()
    items[target]?.focus()
  }

  return (
    <div ref={root} className={styles.root}>
      <IconButton
        ref={handle}
        size="sm"
        label="Move pair"
        className={styles.handle}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-describedby={MOVE_HELP_ID}
        onPointerDown={(event) => drag.pointerDown(widgetKey, event)}
        onKeyDown={(event) => {
          // Space picks the card up; the click that the browser makes of it must not open the menu as well.
          spaceDown.current = event.key === ' '
          drag.keyDown(widgetKey, event)
        }}
        onClick={() => {
          if (!spaceDown.current) setOpen(!open)
          spaceDown.current = false
        }}
      >
        <GripVertical aria-hidden="true" />
      </IconButton>
      {open && (
        <div role="menu" tabIndex={-1} aria-label="Move pair" className={styles.menu} onKeyDown={walk}>
          {choices(index, count).map(({ label, to, possible }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              disabled={!possible}
              onClick={() => {
                close()
                onMove(widgetKey, to)
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Which item a key leads to from item `at` of `count`; null: the key means nothing here. */
function nextItem(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return (at - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
