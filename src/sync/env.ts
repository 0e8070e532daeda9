import type { LocalDatabase } from '../db/database'
import type { Locks } from '../db/locks'
import type { Timer } from './in-time'
import type { PushDevice } from './push/device'

/** Everything that the engine touches outside itself. */
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
  /** Where the app was loaded from, such as `https://example.org`; the API stands below it. */
  readonly origin: string
  /** Absent where nothing can be reached by push. */
  readonly push?: PushDevice
  /** Told after every request whether anything answered. */
  readonly heard?: (answered: boolean) => void
}
