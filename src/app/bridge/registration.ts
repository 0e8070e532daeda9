import type { Workbox } from 'workbox-window'
import { HOUR } from '../../domain/granularity'
import { withTimeLimit } from '../../domain/waits'
import { browserTimer } from '../../sync/in-time'
import { OUTBOX_TAG, REFRESH_TAG } from '../../sync/protocol'

/** Milliseconds between two checks for a new version while the page stays open. */
const UPDATE_INTERVAL = HOUR
/** Milliseconds for which the page waits for a worker that is being installed; then it runs the engine itself. */
const INSTALL_TIMEOUT_MS = 3_000

export interface Registration {
  /** The active worker; null if none is active in time. */
  readonly worker: () => Promise<ServiceWorker | null>
  /** Lets the waiting version take over; every tab reloads once it has. */
  readonly applyUpdate: () => void
}

/** In `vite dev` the page is its own host, and over plain http or in some private windows there is no service worker. */
export const canRegister = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

/** Registers the service worker and reports new versions, which wait until the user agrees. */
export function registerWorker(onUpdateReady: () => void): Registration {
  let workbox: Workbox | undefined
  let refused = false
  // The first worker of all has the version that the page already runs; every later one has another.
  let first = true
  const register = async (): Promise<void> => {
    const { Workbox } = await import('workbox-window')
    workbox = new Workbox('/sw.js', { scope: '/' })
    workbox.addEventListener('waiting', onUpdateReady)
    workbox.addEventListener('controlling', ({ isUpdate }) => {
      if (isUpdate === true || !first) reloadOnce()
      first = false
    })
    await workbox.register()
    setInterval(() => void workbox?.update().catch(() => undefined), UPDATE_INTERVAL)
  }
  register().catch((error: unknown) => {
    // A private window, or no network at the first visit: the page runs the engine itself.
    refused = true
    reportError(error)
  })
  return {
    worker: async () => (refused ? null : activeWorker()),
    applyUpdate: () => {
      first = false
      workbox?.messageSkipWaiting()
    },
  }
}

async function activeWorker(): Promise<ServiceWorker | null> {
  const { serviceWorker } = navigator
  if (serviceWorker.controller !== null) return serviceWorker.controller
  const ready = await withTimeLimit(browserTimer, INSTALL_TIMEOUT_MS, serviceWorker.ready, () => null)
  return ready?.active ?? null
}

let reloading = false
function reloadOnce(): void {
  if (reloading) return
  reloading = true
  location.reload()
}

/** In Chromium only; TypeScript's library does not declare these. */
interface BackgroundRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
  readonly periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> }
}

/** Milliseconds; the browser decides how often it really wakes the worker. */
const REFRESH_INTERVAL = 12 * HOUR

/** Lets a browser with background sync send waiting entries even after the last tab is closed. */
export async function registerBackgroundSync(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const background: BackgroundRegistration | undefined = await navigator.serviceWorker.getRegistration()
  if (background?.active == null) return
  // The browser refuses if the user has switched background work off; the page's clock sends the entries all the same.
  await background.sync?.register(OUTBOX_TAG).catch(() => undefined)
}

/** Lets a browser that permits so refresh an installed app's prices now and then while the app is closed. */
export async function registerPeriodicRefresh(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // At the first visit the page is there before its worker.
  const background: BackgroundRegistration = await navigator.serviceWorker.ready
  if (background.periodicSync === undefined) return
  const name = 'periodic-background-sync' as PermissionName
  const { state } = await navigator.permissions.query({ name })
  if (state === 'granted') await background.periodicSync.register(REFRESH_TAG, { minInterval: REFRESH_INTERVAL })
}
