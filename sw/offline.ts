import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
  PrecacheStrategy,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { COIN_ICONS } from '../src/db/quota-eviction'
import { NOT_THE_APP } from '../src/domain/app-paths'
import { DAY } from '../src/domain/granularity'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof CacheFirst>[0]>['plugins']>[number]

/** Seconds that the picture of a coin is kept. */
const ICON_LIFETIME = (30 * DAY) / 1000
/** About two boards of the largest tier, and the list they were chosen from. */
const MAX_ICONS = 600

/** The cache in which Workbox keeps the app's files. */
export const openPrecache = (): Promise<Cache> => caches.open(new PrecacheStrategy().cacheName)

/**
 * Serves the app from the precache: its files, and the one page for every address below it. The API is never cached
 * here: its answers live in the local database.
 */
export function serveAppOffline(files: readonly (PrecacheEntry | string)[]): void {
  cleanupOutdatedCaches()
  precacheAndRoute([...files])
  registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: [NOT_THE_APP] }))
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
