import type { Workbox } from 'workbox-window'

/** Milliseconds between two looks for a new version while the page stays open. */
const UPDATE_CHECK = 60 * 60_000
/** Milliseconds that a worker which is being installed is waited for before the page helps itself. */
const INSTALL_PATIENCE = 3_000

export interface Registration {
  /** The active worker, or null where there is none in time. */
  readonly worker: () => Promise<ServiceWorker | null>
  /** Lets the waiting version take over; every tab reloads once it has. */
  readonly applyUpdate: () => void
}

/** In `vite dev` the page is its own host, and over plain http or in some private windows there is no service worker. */
export const canRegister = (): boolean => import.meta.env.PROD && 'serviceWorker' in navigator

/** Registers the service worker and tells of new versions, which wait until the user agrees. */
export function registerWorker(onUpdateReady: () => void): Registration {
  let workbox: Workbox | undefined
  let refused = false
  // The first worker of all brings the version that the page already runs; whichever takes over after it, another one.
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
    setInterval(() => void workbox?.update().catch(() => undefined), UPDATE_CHECK)
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
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), INSTALL_PATIENCE))
  const ready = await Promise.race([serviceWorker.ready, late])
  return ready?.active ?? null
}

let reloading = false
function reloadOnce(): void {
  if (reloading) return
  reloading = true
  location.reload()
}
