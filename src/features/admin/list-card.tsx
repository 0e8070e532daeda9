import { type ReactNode, useEffect, useRef } from 'react'
import styles from './list-card.module.css'

interface ListCardProps {
  readonly label: string
  /** What is shown gives way to something else that is being asked for. */
  readonly pending: boolean
  readonly children: ReactNode
}

/** What a list of the admin area stands on. It takes the focus of whatever in it goes, such as "Try again" that helped. */
export function ListCard({ label, pending, children }: ListCardProps) {
  const card = useRef<HTMLElement>(null)
  const focused = useRef(false)
  useEffect(() => {
    if (focused.current && document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  })
  return (
    // It listens to where the focus is and does nothing else with it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={card}
      tabIndex={-1}
      aria-label={label}
      aria-busy={pending || undefined}
      className={styles.card}
      onFocus={() => (focused.current = true)}
      onBlur={() => (focused.current = false)}
    >
      {children}
    </section>
  )
}
