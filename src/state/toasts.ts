import { atom } from 'jotai'

export interface LocalToast {
  readonly id: string
  /** An alert is one of a ratio, which this device has just been told of. */
  readonly type: 'info' | 'success' | 'error' | 'alert'
  readonly message: string
  /** What can be done about it; ends the toast. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Another one, where two things can be done. */
  readonly secondAction?: LocalToast['action']
  /** Milliseconds. */
  readonly at: number
  /** Said of somebody's leaving, so that it is also for whoever uses the app then. */
  readonly ofLeaving?: true
}

/** Messages of this page that the engine knows nothing of, oldest first. */
export const localToastsAtom = atom<readonly LocalToast[]>([])

let serial = 0

/** Says something once; features write to it. What is being said, or waits to be, is not said again. */
export const showToastAtom = atom(null, (_get, set, toast: Omit<LocalToast, 'id' | 'at'>) =>
  set(localToastsAtom, (waiting) =>
    waiting.some(({ message }) => message === toast.message)
      ? waiting
      : [...waiting, { ...toast, id: `local-${(serial += 1)}`, at: Date.now() }],
  ),
)

export const dropToastAtom = atom(null, (_get, set, id: string) =>
  set(localToastsAtom, (waiting) => waiting.filter((toast) => toast.id !== id)),
)

const PART_MISSING = 'This part of the app could not be loaded. Check the connection and try again.'

/** For an optional part whose code could not be had: closes what was to show it, and says so. */
export const partMissingAtom = atom(null, (_get, set, close: () => void) => {
  close()
  set(showToastAtom, { type: 'error', message: PART_MISSING })
})
