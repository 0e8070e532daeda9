import type { KeyboardEvent, PointerEvent } from 'react'
import type { DragStart } from '../../state/card-slot'

/** What drag and drop, once loaded, listens to on one card's handle. */
export interface HandleListeners {
  onPointerDown?(event: PointerEvent): void
  onKeyDown?(event: KeyboardEvent): void
}

/**
 * Joins the cards, which are there from the first paint, with drag and drop, which is loaded later: cards pass on what
 * happens at their handles, drag and drop moves the elements that stand here. So neither renders because of the other.
 */
export interface DragRegistry {
  readonly start: DragStart
  /** The elements to move, by widget key. */
  readonly slots: Map<string, HTMLElement>
  readonly listeners: Map<string, HandleListeners>
}

export function createDragRegistry(): DragRegistry {
  const listeners = new Map<string, HandleListeners>()
  return {
    slots: new Map(),
    listeners,
    start: {
      pointerDown: (key, event) => listeners.get(key)?.onPointerDown?.(event),
      keyDown: (key, event) => listeners.get(key)?.onKeyDown?.(event),
    },
  }
}
