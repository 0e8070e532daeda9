import type { LocalDatabase } from '../db/database'
import { browserLocks } from '../db/locks'
import { uuidOf } from '../domain/uuid'
import type { EngineEnv } from './env'
import { browserTimer } from './in-time'
import { pushDevice } from './push/device'

/**
 * The engine's surroundings in a page or a service worker.
 * @param registration what pushes are sent to; undefined: nothing
 */
export function browserEnv(
  db: LocalDatabase,
  origin: string,
  registration: () => Promise<ServiceWorkerRegistration | undefined>,
): EngineEnv {
  return {
    db,
    origin,
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    token: () => uuidOf(crypto.getRandomValues(new Uint8Array(16))),
    locks: browserLocks(),
    ...('Notification' in globalThis && { push: pushDevice(registration) }),
    timer: browserTimer,
  }
}
