import { GripVertical } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { IconButton } from './button'
import { menuPlace } from './menu-place'
import styles from './move-menu.module.css'

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
}

const choices = (index: number, count: number) => [
  { label: 'Move first', to: 0, possible: index > 0 },
  { label: 'Move earlier', to: index - 1, possible: index > 0 },
  { label: 'Move later', to: index + 1, possible: index < count - 1 },
  { label: 'Move last', to: count - 1, possible: index < count - 1 },
]

/** The handle that a thing is dragged by. A click or Enter opens a menu that moves it without dragging. */
export function MoveMenu(props: MoveMenuProps) {
  const { label, describedBy, index, count, onHandlePointerDown, onHandleKeyDown, onMove } = props
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const spaceDown = useRef(false)

  // Before the paint: a popover, so that neither a neighbour nor the edge of a scrolling list covers it.
  useLayoutEffect(() => {
    if (!open || menu.current === null || handle.current === null) return
    menu.current.showPopover?.()
    const place = menuPlace(handle.current.getBoundingClientRect(), menu.current.getBoundingClientRect(), {
      width: window.innerWidth,
      height: window.innerHeight,
    })
    menu.current.style.left = `${place.left}px`
    menu.current.style.top = `${place.top}px`
    menu.current.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus({ preventScroll: true })
  }, [open])

  useEffect(() => {
    if (!open) return
    const listeners = new AbortController()
    const { signal } = listeners
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside, { signal })
    document.addEventListener('focusin', closeOutside, { signal })
    // It does not travel with its handle.
    document.addEventListener('scroll', () => setOpen(false), { capture: true, signal })
    window.addEventListener('resize', () => setOpen(false), { signal })
    return () => listeners.abort()
  }, [open])

  const close = () => {
    setOpen(false)
    handle.current?.focus()
  }

  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Neither the card nor the dialog around it is what this Escape is for.
      event.stopPropagation()
      event.preventDefault()
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
        label={label}
        className={styles.handle}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-describedby={describedBy}
        onPointerDown={onHandlePointerDown}
        onKeyDown={(event) => {
          // Space picks it up; the click that the browser makes of it must not open the menu as well.
          spaceDown.current = event.key === ' '
          onHandleKeyDown(event)
        }}
        onClick={() => {
          if (!spaceDown.current) setOpen(!open)
          spaceDown.current = false
        }}
      >
        <GripVertical aria-hidden="true" />
      </IconButton>
      {open && (
        <div
          ref={menu}
          role="menu"
          popover="manual"
          tabIndex={-1}
          aria-label={label}
          className={styles.menu}
          onKeyDown={walk}
        >
          {choices(index, count).map(({ label: name, to, possible }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              disabled={!possible}
              onClick={() => {
                close()
                onMove(to)
              }}
            >
              {name}
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
