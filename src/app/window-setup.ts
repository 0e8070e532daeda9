import { MINUTE } from '../domain/granularity'
import { installOfferAtom, type Store } from '../state/services'

const MARK = 'reloaded-for-chunk-at'
/** Milliseconds; a second failure sooner than this is no outdated deployment, and another reload would not help. */
const RELOAD_INTERVAL_MS = MINUTE

/** Reloads an open page once if a deployment has removed a chunk of its build; the error boundary shows a second failure. */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline, the chunk may still be there.
    if (!navigator.onLine) return
    const last = Number(sessionStorage.getItem(MARK) ?? 0)
    if (Date.now() - last < RELOAD_INTERVAL_MS) return
    sessionStorage.setItem(MARK, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}

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

interface TrustedTypes {
  createPolicy(name: 'default', rules: { readonly createScriptURL: (url: string) => string }): unknown
}

/**
 * Trusted Types, which the server's policy requires: a worker is started by a string only where the string is an address of
 * our own. There is no rule for HTML or source text, so that the browser refuses those.
 */
export function trustOwnScriptUrls(
  { trustedTypes }: { readonly trustedTypes?: TrustedTypes } = globalThis as object,
): void {
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError('A script of another origin')
      return url
    },
  })
}
