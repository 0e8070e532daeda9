import { MINUTE } from '../domain/granularity'

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
