import type { KeyboardEvent, PointerEvent } from 'react'

/** Listeners of drag and drop, once loaded, on one handle. */
interface HandleListeners {
  onPointerDown?(event: PointerEvent): void
  onKeyDown?(event: KeyboardEvent): void
}

/**
 * Joins sortable items, which are there from the first paint, with drag and drop, which is loaded later: the items pass on
 * the events of their handles, drag and drop moves their elements. So neither renders because of the other.
 */
export interface DragRegistry {
  /** Handlers of a handle; before drag and drop has loaded, both do nothing. */
  readonly start: {
    pointerDown(key: string, event: PointerEvent): void
    keyDown(key: string, event: KeyboardEvent): void
  }
  /** The elements to move, by key. */
  readonly slots: Map<string, HTMLElement>
  readonly listeners: Map<string, HandleListeners>
  /** The `ref` of the element with that key. */
  readonly slotRef: (key: string) => (element: HTMLElement | null) => (() => void) | undefined
}

export function createDragRegistry(): DragRegistry {
  const listeners = new Map<string, HandleListeners>()
  const slots = new Map<string, HTMLElement>()
  return {
    slots,
    listeners,
    start: {
      pointerDown: (key, event) => listeners.get(key)?.onPointerDown?.(event),
      keyDown: (key, event) => listeners.get(key)?.onKeyDown?.(event),
    },
    slotRef: (key) => (element) => {
      if (element === null) return undefined
      slots.set(key, element)
      return () => {
        slots.delete(key)
      }
    },
  }
}

/** True while the user drags an item by pointer or keys, which drag-and-drop.tsx marks: keys act on the drag then. */
export const isDragging = (): boolean => document.querySelector('[data-dragging]') !== null
