import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { dismissNotice, readNotices } from '../../db/queries/notices'
import { useServices } from '../../state/services'
import { dropToastAtom, localToastsAtom } from '../../state/toasts'
import { Toast } from '../../ui/toast'
import { useTopModal } from '../../ui/use-modal'
import { usePageVisible } from '../../ui/browser-state'
import { isStale, nextToast, noticeKey, TOAST_TIME, type ToastSource, type ToastView } from './next-toast'
import styles from './toast-turn.module.css'

const NONE: ReadonlySet<string> = new Set()

const keyOf = (source: ToastSource) => (source.kind === 'local' ? source.id : noticeKey(source.id))

/** Toasts of the app, one at a time: messages of this page and notices that the engine left. */
export function Toasts() {
  const { db, now } = useServices().commands
  const local = useAtomValue(localToastsAtom)
  const notices = useLiveQuery(() => readNotices(db), [db])
  const dropLocal = useSetAtom(dropToastAtom)
  const [shownKey, setShownKey] = useState<string | null>(null)
  // Taken off the screen at once, and for good even where the database does not let go of it.
  const [gone, setGone] = useState(NONE)

  const toast = nextToast(local, notices ?? [], shownKey, gone, now())
  const key = toast?.key ?? null
  if (key !== shownKey) setShownKey(key)

  // A success of another day, such as one that a closed browser left, goes unseen.
  useEffect(() => {
    for (const toast of local) if (toast.id !== key && isStale(toast, now())) dropLocal(toast.id)
    for (const notice of notices ?? []) {
      if (noticeKey(notice.id) === key || !isStale({ type: notice.kind, at: notice.at }, now())) continue
      dismissNotice(db, notice.id).catch((error: unknown) => reportError(error))
    }
  }, [db, local, dropLocal, notices, now, key])

  if (toast === null) return null
  const dismiss = ({ sources }: ToastView) => {
    setGone(new Set([...gone, ...sources.map(keyOf)]))
    for (const source of sources) {
      if (source.kind === 'local') dropLocal(source.id)
      else dismissNotice(db, source.id).catch((error: unknown) => reportError(error))
    }
  }
  return <ToastTurn key={toast.key} toast={toast} onDismiss={() => dismiss(toast)} />
}

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
function ToastTurn({ toast, onDismiss }: ToastTurnProps) {
  const home = useTopModal() ?? document.body
  const place = home === document.body ? 'page' : (home.dataset['toasts'] ?? 'dialog')
  const visible = usePageVisible()
  // The host is part of the key: in another host the toast is another element, which neither pointer nor focus has left.
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

/** A toast of a dialog that just closed is in a removed element; by the next render it has another host. */
const show = (region: HTMLElement | null): void => {
  if (region?.isConnected === true && region.hasAttribute('popover')) region.showPopover?.()
}

/**
 * Calls `onEnd` after `duration` milliseconds during which it was not paused.
 * @param turn another one begins the duration anew
 */
function useCountdown(duration: number, turn: number, paused: boolean, onEnd: () => void): void {
  const left = useRef({ turn, ms: duration })
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })

  useEffect(() => {
    if (left.current.turn !== turn) left.current = { turn, ms: duration }
    if (paused) return undefined
    const started = performance.now()
    const timer = setTimeout(() => end.current(), left.current.ms)
    return () => {
      clearTimeout(timer)
      left.current.ms -= performance.now() - started
    }
  }, [duration, turn, paused])
}
