import { atom } from 'jotai'

interface ToastAction {
  readonly label: string
  readonly run: () => void
  /** Done for all that an equal toast was shown for, such as several pairs; otherwise for the last one. */
  readonly forAll?: true
}

export interface LocalToast {
  readonly id: string
  /** An alert is one of a ratio, which this device has just been told of. */
  readonly type: 'info' | 'success' | 'error' | 'alert'
  readonly message: string
  /** Action of the toast; ends it. */
  readonly action?: ToastAction
  /** Another one, where two things can be done. */
  readonly secondAction?: LocalToast['action']
  /** How often it was said while it was shown or waited. */
  readonly count: number
  /** Milliseconds; when it was said last. */
  readonly at: number
  /** Said of somebody's leaving, so that it is also for whoever uses the app then. */
  readonly ofLeaving?: true
}

/** Messages of this page that the engine knows nothing of, oldest first. */
export const localToastsAtom = atom<readonly LocalToast[]>([])

let serial = 0

/**
 * Shows a toast; features write to it. An equal one that is shown or waits is counted up instead, except an alert: two
 * parts of the app may tell of one crossing. Two parts that say one sentence as different types speak of one event as well:
 * it stays one toast, uncounted, and an error if one of them called it so.
 */
export const showToastAtom = atom(null, (_get, set, toast: Omit<LocalToast, 'id' | 'at' | 'count'>) =>
  set(localToastsAtom, (waiting) => {
    const at = Date.now()
    const equal = waiting.find(({ message }) => message === toast.message)
    if (equal === undefined) return [...waiting, { ...toast, id: `local-${(serial += 1)}`, at, count: 1 }]
    if (toast.type === 'alert') return waiting
    if (toast.type !== equal.type) {
      return toast.type === 'error' ? waiting.map((one) => (one === equal ? { ...one, ...toast, at } : one)) : waiting
    }
    const action = toast.action && joined(equal.action, toast.action)
    const again = { ...equal, ...toast, ...(action && { action }), at, count: equal.count + 1 }
    return waiting.map((one) => (one === equal ? again : one))
  }),
)

const joined = (before: LocalToast['action'], action: ToastAction): ToastAction =>
  before === undefined || action.forAll === undefined
    ? action
    : {
        ...action,
        run: () => {
          before.run()
          action.run()
        },
      }

export const dropToastAtom = atom(null, (_get, set, id: string) =>
  set(localToastsAtom, (waiting) => waiting.filter((toast) => toast.id !== id)),
)

const CHUNK_MISSING = 'This part of the app could not be loaded. Check the connection and try again.'

/** For an optional part whose code could not be had: closes what was to show it, and says so. */
export const reportMissingChunkAtom = atom(null, (_get, set, close: () => void) => {
  close()
  set(showToastAtom, { type: 'error', message: CHUNK_MISSING })
})
