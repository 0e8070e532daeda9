import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { BellRing, CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type FocusEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { dismissNotice, readNotices } from '../../db/notices'
import { LONGEST_UNDO, UNDO_TIME } from '../../domain/undo'
import { useServices } from '../../state/services'
import { dropNoticeAtom, type LocalNotice, localNoticesAtom } from '../../state/toasts'
import { usePageVisible } from '../../ui/browser-state'
import { Button } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { useTopModal } from '../../ui/use-modal'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './toasts.module.css'

/** Milliseconds for which a toast is shown; a success that is older is no news any more. */
const TOAST_TIME = 15_000

/** A text for a notice of this page, a number for one that the engine has stored. */
type NoticeId = string | number

type Notice = Omit<LocalNotice, 'id' | 'ofLeaving'> & { readonly id: NoticeId }

/** Equal notices, under the id of the first; the user dismisses them together. */
interface ToastView extends Notice {
  readonly ids: readonly NoticeId[]
}

const NONE: ReadonlySet<NoticeId> = new Set()

/** Shows one toast at a time, for the notices of this page and for those that the engine has stored. */
export function Toasts() {
  const { db, now } = useServices().commands
  const local = useAtomValue(localNoticesAtom)
  const stored = useLiveQuery(() => readNotices(db), [db])
  const dropLocal = useSetAtom(dropNoticeAtom)
  const [shownId, setShownId] = useState<NoticeId | null>(null)
  // A dismissed notice leaves the screen at once, and for good even if the database cannot delete its row.
  const [gone, setGone] = useState(NONE)
  // An error may put a toast aside: one that comes back has been read out, unless its count is another by then.
  const [told] = useState(() => new Set<string>())

  const notices: readonly Notice[] = [...(stored ?? []).map((notice) => ({ ...notice, count: 1 })), ...local]
  const toast = nextToast(notices, shownId, gone, now())
  const id = toast?.id ?? null
  if (id !== shownId) setShownId(id)

  const drop = useCallback(
    (notice: NoticeId) => {
      if (typeof notice === 'string') dropLocal(notice)
      else dismissNotice(db, notice).catch((error: unknown) => reportError(error))
    },
    [db, dropLocal],
  )
  // A success of another day, such as one that a closed browser left, goes unseen.
  useEffect(() => {
    for (const notice of [...local, ...(stored ?? [])]) {
      if (notice.id !== id && isStale(notice, now())) drop(notice.id)
    }
  }, [local, stored, drop, now, id])

  if (toast === null) return null
  const dismiss = () => {
    setGone(new Set([...gone, ...toast.ids]))
    toast.ids.forEach(drop)
  }
  return <ToastTurn key={toast.id} toast={toast} told={told} onDismiss={dismiss} />
}

/**
 * The toast on the screen stays until it goes; then errors come first, and else the oldest notice. An error takes the
 * screen from any other toast, which comes back after the error. An Undo, whose time is short, takes it even from an error
 * and from an earlier Undo.
 * @param notices oldest first in each of the two queues
 * @param shownId of the toast on the screen; null: none
 * @param gone ids of dismissed notices
 * @param now milliseconds
 */
function nextToast(
  notices: readonly Notice[],
  shownId: NoticeId | null,
  gone: ReadonlySet<NoticeId>,
  now: number,
): ToastView | null {
  const waiting = notices.filter(({ id }) => !gone.has(id))
  const fresh = mergeEqual(waiting.filter((notice) => notice.id === shownId || !isStale(notice, now)))
  const oldestFirst = fresh.toSorted((a, b) => a.at - b.at)
  const shown = fresh.find(({ id }) => id === shownId)
  const undo = oldestFirst.findLast(({ action, at }) => action?.hold !== undefined && now - at < UNDO_TIME)
  if (undo !== undefined) return undo
  const error = oldestFirst.find(({ kind }) => kind === 'error')
  if (shown !== undefined && (shown.kind === 'error' || error === undefined)) return shown
  return error ?? oldestFirst[0] ?? null
}

/** True for a success whose time is over. */
const isStale = ({ kind, at }: Pick<Notice, 'kind' | 'at'>, now: number): boolean =>
  kind === 'success' && now - at >= TOAST_TIME

/** Notices of one kind and text are one toast, except Undos. */
function mergeEqual(notices: readonly Notice[]): readonly ToastView[] {
  const merged = new Map<string, ToastView>()
  for (const notice of notices) {
    const { id, kind, message, count, at } = notice
    const same = `${kind} ${message} ${notice.action?.hold ? id : ''}`
    const first = merged.get(same)
    const sums = first && {
      id: first.id,
      count: first.count + count,
      at: Math.max(first.at, at),
      ids: [...first.ids, id],
    }
    merged.set(same, { ids: [id], ...first, ...notice, ...sums })
  }
  return [...merged.values()]
}

interface ToastTurnProps {
  readonly toast: ToastView
  /** Ids and counts of the toasts that screen readers have read out. */
  readonly told: Set<string>
  readonly onDismiss: () => void
}

/**
 * One toast's time on the screen, which begins anew when an equal notice comes. The clock stands still while the user
 * hovers or focuses the toast, and in a hidden tab, except for a success. The toast is a popover, so that nothing covers
 * it, and stands inside the open dialog, since everything outside that is inert; a dialog with `data-toasts="inside"`
 * makes room for the toast among its own content.
 */
function ToastTurn({ toast, told, onDismiss }: ToastTurnProps) {
  const host = useTopModal() ?? document.body
  const place = host === document.body ? 'page' : (host.dataset['toasts'] ?? 'dialog')
  const visible = usePageVisible()
  // State names the host: in another host the toast is another element, which neither pointer nor focus has left.
  const [hoveredIn, setHoveredIn] = useState<HTMLElement | null>(null)
  const [focusedIn, setFocusedIn] = useState<HTMLElement | null>(null)
  const turn = `${toast.id} ${toast.count}`
  // Screen readers read a live region when something is put into it, not when it arrives full.
  const [announced, setAnnounced] = useState(() => told.has(turn))
  const rests = hoveredIn === host || focusedIn === host
  const { isOver, times } = useUndoTime(toast, rests)
  useCountdown(TOAST_TIME, toast.count + times, rests || (!visible && toast.kind !== 'success'), onDismiss)
  // The focus goes back to its place from a button that goes.
  const cameFrom = useRef<EventTarget | null>(null)
  const dismiss = () => {
    if (focusedIn === host && cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true })
    onDismiss()
  }

  useEffect(() => {
    const timer = setTimeout(() => {
      told.add(turn)
      setAnnounced(true)
    })
    return () => clearTimeout(timer)
  }, [told, turn])

  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocusedIn(null)
  }
  return createPortal(
    <div
      ref={show}
      popover={place === 'inside' ? undefined : 'manual'}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      className={styles.region}
      data-place={place}
      onPointerEnter={() => setHoveredIn(host)}
      onPointerLeave={() => setHoveredIn(null)}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
        setFocusedIn(host)
      }}
      onBlur={leave}
    >
      {announced && (
        <Toast
          kind={toast.kind}
          message={toast.message}
          count={toast.count}
          actions={[toast.secondAction, isOver ? undefined : toast.action].filter((action) => action !== undefined)}
          onDismiss={dismiss}
        />
      )}
    </div>,
    host,
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

/**
 * The time of the toast's Undo. While the user rests on the toast the change is held, and the time begins anew afterwards, within
 * `LONGEST_UNDO`.
 * @returns times how often it has begun anew
 */
function useUndoTime({ action, at }: ToastView, rests: boolean): { readonly isOver: boolean; readonly times: number } {
  const hold = action?.hold
  const [isOver, setOver] = useState(false)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (hold === undefined || isOver) return undefined
    const left = (time: number) => Math.max(0, time - (Date.now() - at))
    const longest = left(LONGEST_UNDO)
    const time = rests ? longest : times > 0 ? Math.min(UNDO_TIME, longest) : left(UNDO_TIME)
    const timer = setTimeout(() => setOver(true), time)
    if (rests) hold(longest)
    return () => {
      clearTimeout(timer)
      if (!rests) return
      hold(Math.min(UNDO_TIME, left(LONGEST_UNDO)))
      setTimes((before) => before + 1)
    }
  }, [hold, at, rests, isOver, times])
  return { isOver, times }
}

const ICONS = { info: Info, success: CircleCheck, error: CircleAlert, alert: BellRing } as const

interface ToastProps {
  readonly kind: keyof typeof ICONS
  readonly message: string
  /** The main one last. */
  readonly actions: readonly NonNullable<LocalNotice['action']>[]
  /** Number of equal notices. */
  readonly count: number
  readonly onDismiss: () => void
}

/** A button with the message, which dismisses the toast, and buttons for its actions. The live region is the caller's. */
function Toast({ kind, message, actions, count, onDismiss }: ToastProps) {
  const Icon = ICONS[kind]
  return (
    <div className={classNames(styles.toast, styles[kind])}>
      <button type="button" className={styles.message} onClick={onDismiss}>
        <Icon aria-hidden="true" className={styles.icon} />
        <span className={styles.text}>{message}</span>
        {count > 1 && (
          <span className={styles.count}>
            <span aria-hidden="true">×{count}</span>
            <VisuallyHidden>{count} times</VisuallyHidden>
          </span>
        )}
        <VisuallyHidden>Dismiss</VisuallyHidden>
        <X aria-hidden="true" className={styles.close} />
      </button>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((action) => (
            <ActionButton key={action.label} {...action} onDismiss={onDismiss} />
          ))}
        </div>
      )}
    </div>
  )
}

/** They undo what was typed into them. */
const FIELDS = 'input, textarea, [contenteditable]'

type ActionButtonProps = ToastProps['actions'][number] & Pick<ToastProps, 'onDismiss'>

/** An Undo is pressed by Ctrl + Z as well: by the Tab key, a toast may be far away. */
function ActionButton({ label, run, hold, onDismiss }: ActionButtonProps) {
  const isUndo = hold !== undefined
  const press = () => {
    onDismiss()
    run()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isKey = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!isKey || event.defaultPrevented || (event.target instanceof Element && event.target.closest(FIELDS))) return
    event.preventDefault()
    press()
  })
  useEffect(() => {
    if (!isUndo) return undefined
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [isUndo])
  const keys = isUndo ? { title: 'Ctrl + Z', 'aria-keyshortcuts': 'Control+Z' } : {}
  return (
    <Button size="sm" {...keys} onClick={press}>
      {label}
    </Button>
  )
}
