import { atom } from 'jotai'

export interface LocalToast {
  readonly id: string
  readonly type: 'info' | 'success' | 'error'
  readonly message: string
  /** Milliseconds. */
  readonly at: number
}

/** Messages of this page that the engine knows nothing of, oldest first. */
export const localToastsAtom = atom<readonly LocalToast[]>([])

let serial = 0

/** Says something once; features write to it. */
export const showToastAtom = atom(null, (_get, set, toast: Pick<LocalToast, 'type' | 'message'>) =>
  set(localToastsAtom, (waiting) => [...waiting, { ...toast, id: `local-${(serial += 1)}`, at: Date.now() }]),
)

export const dropToastAtom = atom(null, (_get, set, id: string) =>
  set(localToastsAtom, (waiting) => waiting.filter((toast) => toast.id !== id)),
)
