import { useRef, type KeyboardEvent, type PointerEvent } from 'react'

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
