import { installOfferAtom, type Store } from '../state/services'

/** Not in the standard library's types: Chromium's own event. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

const isAppleTouch = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** Keeps the browser's offer to install until the user asks for it in Settings. */
export function offerInstall(store: Store): void {
  if (matchMedia('(display-mode: standalone)').matches) {
    store.set(installOfferAtom, { kind: 'installed' })
    return
  }
  if (isAppleTouch()) store.set(installOfferAtom, { kind: 'share-sheet' })
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    const ask = async () => {
      // The event can be used once; after a refusal the browser sends another when it sees fit.
      store.set(installOfferAtom, { kind: 'unavailable' })
      await (event as BeforeInstallPromptEvent).prompt()
    }
    store.set(installOfferAtom, { kind: 'prompt', ask })
  })
  window.addEventListener('appinstalled', () => store.set(installOfferAtom, { kind: 'installed' }))
}
