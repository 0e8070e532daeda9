import { useSyncExternalStore } from 'react'

/** The modal dialogs that are open, the uppermost last. The page has one top layer, so this is one list. */
let open: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

const change = (next: readonly HTMLDialogElement[]) => {
  open = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts a dialog on top until the returned function is called. */
export function putOnTop(dialog: HTMLDialogElement): () => void {
  change([...open, dialog])
  return () => change(open.filter((one) => one !== dialog))
}

/**
 * The uppermost modal dialog; null while none is open. Everything outside it is inert: it can be neither clicked nor
 * heard, so what has to be reached whatever is open is rendered inside it.
 */
export const useTopModal = (): HTMLDialogElement | null => useSyncExternalStore(subscribe, () => open.at(-1) ?? null)

/** True while a modal dialog is open. */
export const isModalOpen = (): boolean => open.length > 0
