import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './tooltip.module.css'

interface TooltipProps {
  readonly text: string
  /** Where it stands against what it explains. */
  readonly side?: 'above' | 'below'
  readonly align?: 'start' | 'center' | 'end'
  /** Gets the id for its `aria-describedby`; must be able to take focus, or keyboards never see the text. */
  readonly children: (describedBy: string) => ReactNode
}

/** A short explanation on hover and focus; Escape hides it, and the pointer may move onto it. */
export function Tooltip({ text, side = 'above', align = 'center', children }: TooltipProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const show = () => setOpen(true)
  const hide = () => setOpen(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    // The dialog around it, if any, is not what this Escape is for.
    event.stopPropagation()
    event.preventDefault()
    hide()
  }
  return (
    // The wrapper only listens; what can be operated is the child.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      className={styles.anchor}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
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
