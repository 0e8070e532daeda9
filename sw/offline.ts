import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, PrecacheController, type PrecacheEntry, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { COIN_ICONS } from '../src/db/quota-eviction'
import { NOT_THE_APP } from '../src/domain/app-paths'
import { DAY } from '../src/domain/granularity'
import { keepFiles } from './keep-files'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof CacheFirst>[0]>['plugins']>[number]

/** Seconds that the picture of a coin is kept. */
const ICON_LIFETIME = (30 * DAY) / 1000
/** About two boards of the largest tier, and the list they were chosen from. */
const MAX_ICONS = 600

/**
 * Serves the app from the precache: its files, and the one page for every address below it; from the network what is not
 * kept yet. The API is never cached here: its answers live in the local database.
 * @returns keeps every file; asked again meanwhile, it is the same work. Rejects if one could not be fetched.
 */
export function serveAppOffline(manifest: readonly (PrecacheEntry | string)[]): () => Promise<void> {
  cleanupOutdatedCaches()
  const controller = new PrecacheController()
  controller.addToCacheList([...manifest])
  registerRoute(new PrecacheRoute(controller))
  registerRoute(new NavigationRoute(controller.createHandlerBoundToURL('index.html'), { denylist: [NOT_THE_APP] }))
  servePictures()
  self.addEventListener('activate', (event) => void controller.activate(event as ExtendableEvent))

  const keepAll = async (): Promise<void> =>
    keepFiles(controller.getURLsToCacheKeys(), await caches.open(controller.strategy.cacheName))
  let keeping: Promise<void> | undefined
  return () =>
    (keeping ??= keepAll().finally(() => {
      keeping = undefined
    }))
}

function servePictures(): void {
  // Pictures of coins come from their provider's addresses; opaque answers count, since those send no CORS headers.
  registerRoute(
    ({ request }) => request.destination === 'image',
    new CacheFirst({
      cacheName: COIN_ICONS,
      // Workbox declares its own plugins with properties that may be undefined, which its interface does not allow.
      plugins: [
        new CacheableResponsePlugin({ statuses: [0, 200] }) as Plugin,
        new ExpirationPlugin({
          maxEntries: MAX_ICONS,
          maxAgeSeconds: ICON_LIFETIME,
          purgeOnQuotaError: true,
        }) as Plugin,
      ],
    }),
  )
}
