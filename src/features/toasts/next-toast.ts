import type { NoticeRow } from '../../db/rows'
import type { LocalToast } from '../../state/toasts'

/** Milliseconds a toast is shown; a success that is older is no news any more. */
export const TOAST_TIME = 15_000

export type StoredNotice = NoticeRow & { readonly id: number }
export type ToastSource =
  { readonly kind: 'local'; readonly id: string } | { readonly kind: 'notice'; readonly id: number }

export interface ToastView {
  /** Tells toasts apart while they take turns. */
  readonly key: string
  readonly type: LocalToast['type']
  readonly message: string
  /** How often it was said. */
  readonly count: number
  readonly action?: LocalToast['action']
  readonly secondAction?: LocalToast['secondAction']
  /** Milliseconds; when it was said last. */
  readonly at: number
  /** Ids of all notices with this text: they are dismissed together. */
  readonly sources: readonly ToastSource[]
}

const fromLocal = ({ id, type, message, count, action, secondAction, at }: LocalToast): ToastView => ({
  key: id,
  type,
  message,
  count,
  ...(action && { action }),
  ...(secondAction && { secondAction }),
  at,
  sources: [{ kind: 'local', id }],
})

export const noticeKey = (id: number): string => `notice-${id}`

const fromNotice = ({ id, kind, message, at }: StoredNotice): ToastView => ({
  key: noticeKey(id),
  type: kind,
  message,
  count: 1,
  at,
  sources: [{ kind: 'notice', id }],
})

/** True for a success that nobody has been shown in its time. */
export const isStale = ({ type, at }: Pick<ToastView, 'type' | 'at'>, now: number): boolean =>
  type === 'success' && now - at >= TOAST_TIME

/** Toasts of one type and text are one, under the key of the first. */
function mergeEqual(toasts: readonly ToastView[]): readonly ToastView[] {
  const merged = new Map<string, ToastView>()
  for (const toast of toasts) {
    const same = `${toast.type} ${toast.message}`
    const first = merged.get(same)
    const { count, at, action, secondAction, sources } = toast
    merged.set(
      same,
      first === undefined
        ? toast
        : {
            ...first,
            ...(action && { action }),
            ...(secondAction && { secondAction }),
            count: first.count + count,
            at: Math.max(first.at, at),
            sources: [...first.sources, ...sources],
          },
    )
  }
  return [...merged.values()]
}

/**
 * The toast whose turn it is: the one on the screen until it goes; then errors first, and else the oldest of both queues,
 * which come oldest first. An error takes the screen from any other toast, which comes back after it.
 * @param shownKey of the toast on the screen; null: none
 * @param gone keys of toasts that have had their turn
 * @param now milliseconds
 */
export function nextToast(
  local: readonly LocalToast[],
  notices: readonly StoredNotice[],
  shownKey: string | null,
  gone: ReadonlySet<string>,
  now: number,
): ToastView | null {
  const waiting = [...notices.map(fromNotice), ...local.map(fromLocal)].filter(({ key }) => !gone.has(key))
  const fresh = mergeEqual(waiting.filter((toast) => toast.key === shownKey || !isStale(toast, now)))
  const shown = fresh.find(({ key }) => key === shownKey)
  const error = fresh.filter(({ type }) => type === 'error').toSorted((a, b) => a.at - b.at)[0]
  if (shown !== undefined && (shown.type === 'error' || error === undefined)) return shown
  return error ?? fresh.toSorted((a, b) => a.at - b.at)[0] ?? null
}
