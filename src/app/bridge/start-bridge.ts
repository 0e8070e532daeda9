import type { LocalDatabase } from '../../db/database'
import type { EngineClient } from '../../state/services'
import { isSyncReason } from '../../sync/reason'
import { registerBackgroundSync, registerPeriodicRefresh } from './background'
import { startClock } from './clock'
import type { EngineHost } from './host'
import { eitherHost } from './host-choice'
import { openChartsOnRequest } from './open-chart'
import { pageHost } from './page-host'
import { canRegister, registerWorker, type Registration } from './registration'
import { workerHost } from './worker-host'

export interface BridgeOptions {
  readonly db: LocalDatabase
  /** A new version of the app waits for the user's consent. */
  readonly onUpdateReady: () => void
  /** The engine failed at what nobody waits for. */
  readonly onFailure: (error: unknown) => void
}

export interface Bridge extends EngineClient {
  /** The user agreed: the new version takes over and every tab reloads. */
  applyUpdate(): void
}

/**
 * The page's side of the engine: it registers the service worker, which is the hands, and is itself the clock.
 *
 *     page (clock) ── sync, history ──> service worker (engine) ──> API
 *          └───────── where there is none: the same engine, here ──────┘
 */
export function startBridge({ db, onUpdateReady, onFailure }: BridgeOptions): Bridge {
  const registration = canRegister() ? registerWorker(onUpdateReady) : null
  const host = hostFor(db, registration)
  const ask = startClock({
    db,
    sync: (reason) => host.sync(reason),
    onWaiting: () => void registerBackgroundSync().catch(reportError),
    onFailure,
  })
  if (registration !== null) registerPeriodicRefresh().catch(reportError)
  openChartsOnRequest()
  return {
    requestSync: (reason) => ask(isSyncReason(reason) ? reason : 'command'),
    requestHistory: (coin, period) => host.history(coin, period),
    account: (request) => host.account(request),
    ask: (question) => host.ask(question),
    applyUpdate: () => registration?.applyUpdate(),
  }
}

function hostFor(db: LocalDatabase, registration: Registration | null): EngineHost {
  const page = pageHost(db)
  return registration === null ? page : eitherHost(workerHost(registration.worker), page)
}
