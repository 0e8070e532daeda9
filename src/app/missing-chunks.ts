import { MINUTE } from '../domain/granularity'

const MARK = 'reloaded-for-chunk-at'
/** Milliseconds; a second failure sooner than this is no outdated deployment, and another reload would not help. */
const ONE_RELOAD_PER = MINUTE

/**
 * A deployment removes the chunks of older builds: a page that is still open and wants one reloads, once. If that does
 * not help, the error boundary shows.
 */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline, the chunk is not gone, only out of reach.
    if (!navigator.onLine) return
    const last = Number(sessionStorage.getItem(MARK) ?? 0)
    if (Date.now() - last < ONE_RELOAD_PER) return
    sessionStorage.setItem(MARK, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
