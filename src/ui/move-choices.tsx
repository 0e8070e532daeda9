import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { menuPlace } from './menu-place'
import styles from './move-choices.module.css'

interface MoveChoicesProps {
  readonly label: string
  /** The button that it opened from: the menu stands beside it, and Escape gives it the focus back. */
  readonly handle: RefObject<HTMLElement | null>
  readonly index: number
  readonly count: number
  readonly onClose: () => void
  readonly onMove: (to: number) => void
}

const choices = (index: number, count: number) => [
  { label: 'Move first', to: 0, possible: index > 0 },
  { label: 'Move earlier', to: index - 1, possible: index > 0 },
  { label: 'Move later', to: index + 1, possible: index < count - 1 },
  { label: 'Move last', to: count - 1, possible: index < count - 1 },
]

const POSSIBLE = '[role="menuitem"]:not(:disabled)'

/** The menu of a handle: every place a thing can be moved to without dragging. */
export function MoveChoices({ label, handle, index, count, onClose, onMove }: MoveChoicesProps) {
  const menu = useRef<HTMLDivElement>(null)

  // Before the paint: a popover, so that neither a neighbour nor the edge of a scrolling list covers it.
  useLayoutEffect(() => {
    if (menu.current === null || handle.current === null) return
    menu.current.showPopover?.()
    const place = menuPlace(handle.current.getBoundingClientRect(), menu.current.getBoundingClientRect(), {
      width: window.innerWidth,
      height: window.innerHeight,
    })
    menu.current.style.left = `${place.left}px`
    menu.current.style.top = `${place.top}px`
    menu.current.querySelector<HTMLElement>(POSSIBLE)?.focus({ preventScroll: true })
  }, [handle])

  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const closeOutside = ({ target }: Event) => {
      const inside = [menu.current, handle.current].some((own) => target instanceof Node && own?.contains(target))
      if (!inside) onClose()
    }
    document.addEventListener('pointerdown', closeOutside, { signal })
    document.addEventListener('focusin', closeOutside, { signal })
    // It does not travel with its handle.
    document.addEventListener('scroll', onClose, { capture: true, signal })
    window.addEventListener('resize', onClose, { signal })
    return () => listeners.abort()
  }, [handle, onClose])

  const close = () => {
    onClose()
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
    const items = [...(menu.current?.querySelectorAll<HTMLElement>(POSSIBLE) ?? [])]
    const target = nextItem(event.key, items.indexOf(document.activeElement as HTMLElement), items.length)
    if (target === null) return
    event.preventDefault()
    items[target]?.focus()
  }

  return (
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
