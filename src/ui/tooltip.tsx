import { useId, useState, type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './tooltip.module.css'

interface TooltipProps {
  readonly text: string
  /** Side of its anchor on which it stands. */
  readonly side?: 'above' | 'below'
  readonly align?: 'start' | 'center' | 'end'
  /** Gets the id for its `aria-describedby`; must be able to take focus, or keyboards never see the text. */
  readonly children: (describedBy: string) => ReactNode
}

/** A short explanation on hover and focus; Escape hides it, and the pointer may move onto it. */
export function Tooltip({ text, side = 'above', align = 'center', children }: TooltipProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  // A tap is neither hovering nor focusing by keyboard: the anchor answers taps itself.
  const hover = ({ pointerType }: PointerEvent) => setOpen(pointerType === 'mouse')
  const focus = ({ target }: FocusEvent) => setOpen(target.matches(':focus-visible'))
  const hide = () => setOpen(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    // This Escape is not for the dialog around the anchor.
    event.stopPropagation()
    event.preventDefault()
    hide()
  }
  return (
    // The wrapper only listens; what can be operated is the child.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      className={styles.anchor}
      onPointerEnter={hover}
      onPointerLeave={hide}
      onFocus={focus}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children(id)}
      <span
        role="tooltip"
        id={id}
        className={classNames(
          styles.tip,
          side === 'below' && styles.below,
          align !== 'center' && styles[align],
          open && styles.open,
        )}
      >
        {text}
      </span>
    </span>
  )
}
