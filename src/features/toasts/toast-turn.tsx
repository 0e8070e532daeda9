import { useEffect, useState, type FocusEvent } from 'react'
import { createPortal } from 'react-dom'
import { Toast } from '../../ui/toast'
import { useTopModal } from '../../ui/top-modal'
import { usePageVisible } from '../../ui/use-page-visible'
import { TOAST_TIME, type ToastView } from './next-toast'
import styles from './toast-turn.module.css'
import { useCountdown } from './use-countdown'

interface ToastTurnProps {
  readonly toast: ToastView
  readonly onDismiss: () => void
}

/**
 * One toast's time on the screen, which begins anew when the same is said again. The clock stands still while it is
 * hovered, focused or in a hidden tab: nobody has to hurry, and nothing is said to an empty room; but a success has its
 * time, seen or not. It is a popover, so that nothing covers it, and stands inside whatever dialog is open, since
 * everything outside that is inert; a dialog with `data-toasts="inside"` makes room for it among its own content.
 */
export function ToastTurn({ toast, onDismiss }: ToastTurnProps) {
  const home = useTopModal() ?? document.body
  const place = home === document.body ? 'page' : (home.dataset['toasts'] ?? 'dialog')
  const visible = usePageVisible()
  // Where, since in another home it is another element, which neither pointer nor focus has left.
  const [hoveredIn, setHoveredIn] = useState<HTMLElement | null>(null)
  const [focusedIn, setFocusedIn] = useState<HTMLElement | null>(null)
  const [announced, setAnnounced] = useState(false)
  const unseen = !visible && toast.type !== 'success'
  useCountdown(TOAST_TIME, toast.count, hoveredIn === home || focusedIn === home || unseen, onDismiss)

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
      popover={place === 'inside' ? undefined : 'manual'}
      role={toast.type === 'error' ? 'alert' : 'status'}
      className={styles.region}
      data-place={place}
      onPointerEnter={() => setHoveredIn(home)}
      onPointerLeave={() => setHoveredIn(null)}
      onFocus={() => setFocusedIn(home)}
      onBlur={leave}
    >
      {announced && (
        <Toast
          type={toast.type}
          message={toast.message}
          count={toast.count}
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
  if (region?.isConnected === true && region.hasAttribute('popover')) region.showPopover?.()
}
