import { useEffect, useState, type FocusEvent } from 'react'
import { createPortal } from 'react-dom'
import { Toast } from '../../ui/toast'
import { useTopModal } from '../../ui/top-modal'
import { usePageVisible } from '../../ui/use-page-visible'
import type { ToastView } from './next-toast'
import styles from './toast-turn.module.css'
import { useCountdown } from './use-countdown'

/** Milliseconds a toast stays. */
export const TOAST_TIME = 15_000

interface ToastTurnProps {
  readonly toast: ToastView
  readonly onDismiss: () => void
}

/**
 * One toast's time on the screen. The clock stands still while it is hovered, focused or in a hidden tab: nobody has to
 * hurry, and nothing is said to an empty room. It is a popover, so that nothing covers it, and stands inside whatever
 * dialog is open, since everything outside that is inert.
 */
export function ToastTurn({ toast, onDismiss }: ToastTurnProps) {
  const home = useTopModal() ?? document.body
  const visible = usePageVisible()
  // Where, since in another home it is another element, which neither pointer nor focus has left.
  const [hoveredIn, setHoveredIn] = useState<HTMLElement | null>(null)
  const [focusedIn, setFocusedIn] = useState<HTMLElement | null>(null)
  const [announced, setAnnounced] = useState(false)
  useCountdown(TOAST_TIME, hoveredIn === home || focusedIn === home || !visible, onDismiss)

  useEffect(() => {
    // A live region is read out when something is put into it, not when it arrives full.
    const timer = setTimeout(() => setAnnounced(true))
    return () => clearTimeout(timer)
  }, [])

  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocusedIn(null)
  }
  return createPortal(
    <div
      ref={show}
      popover="manual"
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={styles.region}
      data-over-dialog={home !== document.body}
      onPointerEnter={() => setHoveredIn(home)}
      onPointerLeave={() => setHoveredIn(null)}
      onFocus={() => setFocusedIn(home)}
      onBlur={leave}
    >
      {announced && (
        <Toast
          type={toast.type}
          message={toast.message}
          actions={[toast.secondAction, toast.action].filter((action) => action !== undefined)}
          onDismiss={onDismiss}
        />
      )}
    </div>,
    home,
  )
}

/** What said something as its dialog closed stands in an element that is gone; the toast has another home by the next render. */
const show = (region: HTMLElement | null): void => {
  if (region?.isConnected === true) region.showPopover?.()
}
