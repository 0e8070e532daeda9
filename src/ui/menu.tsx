import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { menuPlace } from '../domain/popup-place'
import styles from './menu.module.css'

export interface MenuItem {
  readonly label: string
  readonly onChoose: () => void
  readonly disabled?: boolean
  /** The state of an item that switches something. */
  readonly checked?: boolean
  /** Stands apart from the items before it. */
  readonly apart?: boolean
}

export interface MenuProps {
  readonly label: string
  /** The button that it opened from: the menu stands beside it, and Escape gives it the focus back. */
  readonly handle: RefObject<HTMLElement | null>
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
}

const POSSIBLE = '[role^="menuitem"]:not(:disabled)'

/** The menu of a handle. Choosing an item closes it and gives the handle the focus back first. */
export function Menu({ label, handle, items, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  useClosedFromOutside(handle, menu, onClose)

  // Before the paint: a popover, so that neither a neighbour nor the edge of a scrolling list covers it.
  useLayoutEffect(() => {
    if (menu.current !== null && handle.current !== null) showBeside(handle.current, menu.current)
  }, [handle])

  const close = () => {
    onClose()
    handle.current?.focus()
  }

  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // This Escape is not for the card or the dialog around the menu.
      event.stopPropagation()
      event.preventDefault()
      close()
      return
    }
    const possible = [...(menu.current?.querySelectorAll<HTMLElement>(POSSIBLE) ?? [])]
    const target = nextItem(event.key, possible.indexOf(document.activeElement as HTMLElement), possible.length)
    if (target === null) return
    event.preventDefault()
    possible[target]?.focus()
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
      {items.map(({ label: name, onChoose, disabled, checked, apart }) => (
        <button
          key={name}
          type="button"
          role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={checked}
          tabIndex={-1}
          className={styles.item}
          data-apart={apart}
          disabled={disabled}
          onClick={() => {
            close()
            onChoose()
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

type MenuRef = RefObject<HTMLElement | null>

/** Shows the menu, and gives the focus to its first item. */
function showBeside(handle: HTMLElement, menu: HTMLElement): void {
  menu.showPopover?.()
  const place = menuPlace(handle.getBoundingClientRect(), menu.getBoundingClientRect(), {
    width: window.innerWidth,
    height: window.innerHeight,
  })
  menu.style.left = `${place.left}px`
  menu.style.top = `${place.top}px`
  menu.querySelector<HTMLElement>(POSSIBLE)?.focus({ preventScroll: true })
}

function useClosedFromOutside(handle: MenuRef, menu: MenuRef, onClose: () => void): void {
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const closeOutside = ({ target }: Event) => {
      const inside = [menu.current, handle.current].some((own) => target instanceof Node && own?.contains(target))
      if (!inside) onClose()
    }
    document.addEventListener('pointerdown', closeOutside, { signal })
    document.addEventListener('focusin', closeOutside, { signal })
    // The menu does not move with its handle.
    document.addEventListener('scroll', onClose, { capture: true, signal })
    window.addEventListener('resize', onClose, { signal })
    return () => listeners.abort()
  }, [handle, menu, onClose])
}

/** Every place that a thing at `index` of `count` can be moved to without dragging. */
export const moveItems = (index: number, count: number, onMove: (to: number) => void): MenuItem[] => [
  { label: 'Move first', disabled: index === 0, onChoose: () => onMove(0) },
  { label: 'Move earlier', disabled: index === 0, onChoose: () => onMove(index - 1) },
  { label: 'Move later', disabled: index >= count - 1, onChoose: () => onMove(index + 1) },
  { label: 'Move last', disabled: index >= count - 1, onChoose: () => onMove(count - 1) },
]

export interface MoveChoicesProps extends Omit<MenuProps, 'items'> {
  readonly index: number
  readonly count: number
  readonly onMove: (to: number) => void
}

/** The menu of a handle that moves a thing. */
export const MoveChoices = ({ index, count, onMove, ...menu }: MoveChoicesProps) => (
  <Menu {...menu} items={moveItems(index, count, onMove)} />
)

/** Index of the item that a key leads to from item `at` of `count`; null: no key of the menu. */
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
