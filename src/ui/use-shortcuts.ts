import { useEffect, useEffectEvent } from 'react'
import { isDragging } from './drag-registry'
import { isModalOpen } from './use-modal'

/** Actions by key, with lower-case keys. */
export type Shortcuts = Readonly<Record<string, () => void>>

const TAKES_KEYS = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]'

/** True if the key is meant for a field or an open menu. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TAKES_KEYS) !== null

/**
 * Single keys that act wherever the focus is, but never while the user types, with Ctrl, Alt or Meta held, or below an
 * open dialog, or in the middle of a drag. A letter typed with Shift is none; "?" and "/" need Shift on some keyboards.
 */
export function useShortcuts(shortcuts: Shortcuts, on: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const run = shortcuts[key]
    const isShifted = event.shiftKey && /^[a-z]$|^.{2,}$/.test(key)
    if (run === undefined || isShifted || isTyping(event.target) || isModalOpen() || isDragging()) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    if (!on) return undefined
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [on])
}
