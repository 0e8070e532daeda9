import type { Workbox } from 'workbox-window'
import { HOUR } from '../../domain/granularity'
import { OUTBOX_TAG, REFRESH_TAG } from '../../sync/protocol'

/** Milliseconds between two checks for a new version while the page stays open. */
const UPDATE_INTERVAL = HOUR

interface Registration {
  /** The active service worker; null: none is. */
  readonly worker: () => Promise<ServiceWorker | null>
  /** Lets the waiting version take over; every tab reloads once it has. */
  readonly applyUpdate: () => void
}

/** In `vite dev` the web worker is the host, and over plain http or in some private windows there is no service worker. */
export const canRegister = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

/** Registers the service worker and reports new versions, which wait until the user agrees. */
export function registerWorker(onUpdateReady: () => void): Registration {
  let workbox: Workbox | undefined
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
    // The first worker takes control before it has any file.
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ type: 'KEEP_ALL' }))
    setInterval(() => void workbox?.update().catch(() => undefined), UPDATE_INTERVAL)
  }
  // A private window, or no network at the first visit: the web worker goes on running the engine.
  register().catch(reportError)
  return {
    worker: activeWorker,
    applyUpdate: () => {
      first = false
      workbox?.messageSkipWaiting()
    },
  }
}

async function activeWorker(): Promise<ServiceWorker | null> {
  const { serviceWorker } = navigator
  // A page that was reloaded past its service worker is controlled by none.
  return serviceWorker.controller ?? (await serviceWorker.getRegistration())?.active ?? null
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
