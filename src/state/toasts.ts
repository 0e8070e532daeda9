import { atom } from 'jotai'

interface NoticeAction {
  readonly label: string
  readonly run: () => void
  /** An equal notice's `run` runs as well, such as for another pair; without `forAll` only the last one's does. */
  readonly forAll?: true
  /** Of an Undo, which is offered for `UNDO_TIME`: holds the change for so many milliseconds from now. */
  readonly hold?: (ms: number) => void
}

/** A message to the user from this page; the engine stores its own as `NoticeRow`. Both are shown as toasts. */
export interface LocalNotice {
  readonly id: string
  /** An alert tells of a ratio that has crossed a threshold. */
  readonly kind: 'info' | 'success' | 'error' | 'alert'
  readonly message: string
  /** Ends the toast. */
  readonly action?: NoticeAction
  readonly secondAction?: NoticeAction
  /** Number of equal notices since the first was shown or waited. */
  readonly count: number
  /** Milliseconds: time of the last equal notice. */
  readonly at: number
  /** The user leaves the app with this notice, so that the next user of the browser sees it, too. */
  readonly ofLeaving?: true
}

/** Oldest first. */
export const localNoticesAtom = atom<readonly LocalNotice[]>([])

let serial = 0

/**
 * Shows a toast. An equal one that is shown or waits is counted up instead, except an alert: two parts of the app may
 * report one crossing. Each Undo has a toast of its own. Two kinds with one sentence are one event as well: one toast, uncounted, an error if either is one.
 */
export const showToastAtom = atom(null, (_get, set, notice: Omit<LocalNotice, 'id' | 'at' | 'count'>) =>
  set(localNoticesAtom, (waiting) => {
    const at = Date.now()
    const equal = notice.action?.hold ? undefined : waiting.find(({ message }) => message === notice.message)
    if (equal === undefined) return [...waiting, { ...notice, id: `local-${(serial += 1)}`, at, count: 1 }]
    const isError = notice.kind === 'error'
    if (notice.kind === 'alert' || (notice.kind !== equal.kind && !isError)) return waiting
    const action = notice.action && joined(equal.action, notice.action)
    const again =
      notice.kind === equal.kind
        ? { ...equal, ...notice, ...(action && { action }), at, count: equal.count + 1 }
        : { ...equal, ...notice, at }
    return waiting.map((one) => (one === equal ? again : one))
  }),
)

function joined(before: NoticeAction | undefined, action: NoticeAction): NoticeAction {
  if (before === undefined || action.forAll === undefined) return action
  const run = () => [before, action].forEach((one) => one.run())
  return { ...action, run }
}

export const dropNoticeAtom = atom(null, (_get, set, id: string) =>
  set(localNoticesAtom, (waiting) => waiting.filter((notice) => notice.id !== id)),
)

const CHUNK_MISSING = 'This part of the app could not be loaded. Check the connection and try again.'

/** For an optional component whose code could not be loaded: closes its host and tells the user. */
export const reportMissingChunkAtom = atom(null, (_get, set, close: () => void) => {
  close()
  set(showToastAtom, { kind: 'error', message: CHUNK_MISSING })
})
