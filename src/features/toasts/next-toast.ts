import type { NoticeRow } from '../../db/rows'
import type { LocalToast } from '../../state/toasts'

export interface ToastView {
  /** Tells toasts apart while they take turns. */
  readonly key: string
  readonly type: 'info' | 'success' | 'error'
  readonly message: string
  readonly source: { readonly kind: 'local'; readonly id: string } | { readonly kind: 'notice'; readonly id: number }
}

const fromLocal = ({ id, type, message }: LocalToast): ToastView => ({
  key: id,
  type,
  message,
  source: { kind: 'local', id },
})

const fromNotice = (id: number, { type, message }: NoticeRow): ToastView => ({
  key: `notice-${id}`,
  type,
  message,
  source: { kind: 'notice', id },
})

/** Whose turn it is: the oldest of both queues, which come oldest first. */
export function nextToast(local: readonly LocalToast[], notices: readonly NoticeRow[]): ToastView | null {
  const [said] = local
  const [noted] = notices
  if (noted?.id !== undefined && (said === undefined || noted.at <= said.at)) return fromNotice(noted.id, noted)
  return said === undefined ? null : fromLocal(said)
}
