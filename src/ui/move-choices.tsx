import type { RefObject } from 'react'
import { Menu, type MenuItem } from './menu'

interface MoveChoicesProps {
  readonly label: string
  /** The button that it opened from: the menu stands beside it, and Escape gives it the focus back. */
  readonly handle: RefObject<HTMLElement | null>
  readonly index: number
  readonly count: number
  readonly onClose: () => void
  readonly onMove: (to: number) => void
}

/** Every place that a thing at `index` of `count` can be moved to without dragging. */
export const moveItems = (index: number, count: number, onMove: (to: number) => void): MenuItem[] => [
  { label: 'Move first', disabled: index === 0, onChoose: () => onMove(0) },
  { label: 'Move earlier', disabled: index === 0, onChoose: () => onMove(index - 1) },
  { label: 'Move later', disabled: index >= count - 1, onChoose: () => onMove(index + 1) },
  { label: 'Move last', disabled: index >= count - 1, onChoose: () => onMove(count - 1) },
]

/** The menu of a handle that moves a thing. */
export function MoveChoices({ label, handle, index, count, onClose, onMove }: MoveChoicesProps) {
  return <Menu label={label} handle={handle} items={moveItems(index, count, onMove)} onClose={onClose} />
}
