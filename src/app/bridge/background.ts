import { OUTBOX_TAG, REFRESH_TAG } from '../../sync/protocol'

/** Chromium only; the standard library does not declare them. */
interface BackgroundRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
  readonly periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> }
}

/** Milliseconds; the browser decides how often it really wakes the worker. */
const REFRESH_INTERVAL = 12 * 60 * 60_000

const registration = async (): Promise<BackgroundRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined

/** Lets the browser send what waits even after the last tab is closed, where it can. */
export async function registerBackgroundSync(): Promise<void> {
  const background = await registration()
  if (background?.active == null) return
  // Refused where the user has switched background work off; the page's clock sends just the same.
  await background.sync?.register(OUTBOX_TAG).catch(() => undefined)
}

/** Lets an installed app refresh prices now and then without being open, where the browser permits it. */
export async function registerPeriodicRefresh(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  // At the first visit of all the page is there before its worker is.
  const background: BackgroundRegistration = await navigator.serviceWorker.ready
  if (background.periodicSync === undefined) return
  const name = 'periodic-background-sync' as PermissionName
  const { state } = await navigator.permissions.query({ name })
  if (state === 'granted') await background.periodicSync.register(REFRESH_TAG, { minInterval: REFRESH_INTERVAL })
}
