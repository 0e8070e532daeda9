import type { LocalDatabase } from '../db/database'
import { browserLocks, type Locks } from '../db/locks'
import { uuidOf } from '../domain/ids'
import type { Timer } from '../domain/waits'
import { browserTimer } from './in-time'
import { type PushDevice, pushDevice } from './push/device'

export interface EngineEnv {
  readonly db: LocalDatabase
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In [0, 1); spreads retries. */
  readonly random: () => number
  /** A new UUID: names a lease, or a request that may be repeated. */
  readonly token: () => string
  readonly locks: Locks
  readonly timer: Timer
  /** Origin of the app, such as `https://example.org`; the API stands below it. */
  readonly origin: string
  /** Absent in a browser without notifications, and in a web worker, which does not reach the service worker's registration. */
  readonly push?: PushDevice
  /** Called after every request: true if anything answered. */
  readonly heard?: (answered: boolean) => void
}

/** @param registration the service worker that gets pushes; absent: out of reach */
export function browserEnv(db: LocalDatabase, origin: string, registration?: ServiceWorkerRegistration): EngineEnv {
  return {
    db,
    origin,
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    token: () => uuidOf(crypto.getRandomValues(new Uint8Array(16))),
    locks: browserLocks(),
    ...(registration !== undefined && 'Notification' in globalThis && { push: pushDevice(registration) }),
    timer: browserTimer,
  }
}
