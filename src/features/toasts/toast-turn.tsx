import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { Toast } from '../../ui/toast'
import type { ToastView } from './next-toast'
import styles from './toast-turn.module.css'
import { useCountdown } from './use-countdown'
import { usePageVisible } from './use-page-visible'

/** Milliseconds a toast stays. */
export const TOAST_TIME = 15_000

interface ToastTurnProps {
  readonly toast: ToastView
  readonly onDismiss: () => void
}

/**
 * One toast's time on the screen. The clock stands still while it is hovered, focused or in a hidden tab: nobody has to
 * hurry, and nothing is said to an empty room. It is a popover, so that an open dialog does not cover it.
 */
export function ToastTurn({ toast, onDismiss }: ToastTurnProps) {
  const region = useRef<HTMLDivElement>(null)
  const visible = usePageVisible()
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const [announced, setAnnounced] = useState(false)
  useCountdown(TOAST_TIME, hovered || focused || !visible, onDismiss)

  useEffect(() => {
    region.current?.showPopover?.()
    // A live region is read out when something is put into it, not when it arrives full.
    const timer = setTimeout(() => setAnnounced(true))
    return () => clearTimeout(timer)
  }, [])

  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
  }
  return (
    <div
      ref={region}
      popover="manual"
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={styles.region}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={leave}
    >
      {announced && <Toast type={toast.type} message={toast.message} onDismiss={onDismiss} />}
    </div>
  )
}
