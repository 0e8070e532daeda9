import type { NoticeRow } from '../../db/rows'
import type { LocalToast } from '../../state/toasts'

export interface ToastView {
  /** Tells toasts apart while they take turns. */
  readonly key: string
  readonly type: LocalToast['type']
  readonly message: string
  readonly action?: LocalToast['action']
  readonly secondAction?: LocalToast['secondAction']
  /** Milliseconds. */
  readonly at: number
  readonly source: { readonly kind: 'local'; readonly id: string } | { readonly kind: 'notice'; readonly id: number }
}

const fromLocal = ({ id, type, message, action, secondAction, at }: LocalToast): ToastView => ({
  key: id,
  type,
  message,
  ...(action && { action }),
  ...(secondAction && { secondAction }),
  at,
  source: { kind: 'local', id },
})

const fromNotice = ({ id, type, message, at }: NoticeRow & { readonly id: number }): ToastView => ({
  key: `notice-${id}`,
  type,
  message,
  at,
  source: { kind: 'notice', id },
})

/**
 * Whose turn it is: the one on the screen until it goes, then the oldest of both queues, which come oldest first.
 * @param shownKey of the toast on the screen; null: none
 * @param gone keys of toasts that have had their turn
 */
export function nextToast(
  local: readonly LocalToast[],
  notices: readonly (NoticeRow & { readonly id: number })[],
  shownKey: string | null,
  gone: ReadonlySet<string>,
): ToastView | null {
  const said = local.map(fromLocal).filter(({ key }) => !gone.has(key))
  const noted = notices.map(fromNotice).filter(({ key }) => !gone.has(key))
  const shown = [...said, ...noted].find(({ key }) => key === shownKey)
  if (shown !== undefined) return shown
  const [first] = [...noted, ...said].toSorted((a, b) => a.at - b.at)
  return first ?? null
}
