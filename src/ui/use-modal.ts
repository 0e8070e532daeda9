import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

/**
 * Shows a native `<dialog>` as long as it is mounted. Escape, and a click that begins and ends on the backdrop, call
 * `onClose`; the caller unmounts it. Focus goes back to where it was, even when the dialog is torn out of the page; where
 * that is gone, such as after a logout, to the content.
 * The element itself must have no padding, so that a click whose target it is hit the backdrop.
 */
export function useModal(onClose: () => void, closesOnBackdrop = true): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  // Before the paint, and undone before React removes the element: only an element still in the page gives focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    const before = document.activeElement
    const listeners = new AbortController()
    const { signal } = listeners
    let pressedBackdrop = false
    dialog.showModal()
    const takeOff = putOnTop(dialog)
    // React's autoFocus acts before the dialog is shown, when nothing in it can take the focus yet.
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    dialog.addEventListener(
      'cancel',
      (event) => {
        event.preventDefault()
        close.current()
      },
      { signal },
    )
    // A second Escape in a row closes the dialog natively, without a cancel event.
    dialog.addEventListener('close', () => close.current(), { signal })
    if (closesOnBackdrop) {
      dialog.addEventListener('mousedown', (event) => (pressedBackdrop = event.target === dialog), { signal })
      dialog.addEventListener('click', (event) => pressedBackdrop && event.target === dialog && close.current(), {
        signal,
      })
    }
    return () => {
      listeners.abort()
      takeOff()
      dialog.close()
      const home = before?.isConnected === true ? before : document.querySelector('main')
      if (home instanceof HTMLElement) home.focus({ preventScroll: true })
    }
  }, [closesOnBackdrop])

  return ref
}

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
function putOnTop(dialog: HTMLDialogElement): () => void {
  change([...open, dialog])
  return () => change(open.filter((one) => one !== dialog))
}

/**
 * The uppermost modal dialog; null while none is open. Everything outside it is inert: it can be neither clicked nor
 * heard, so a toast is rendered inside it.
 */
export const useTopModal = (): HTMLDialogElement | null => useSyncExternalStore(subscribe, () => open.at(-1) ?? null)

/** True while a modal dialog is open. */
export const isModalOpen = (): boolean => open.length > 0
