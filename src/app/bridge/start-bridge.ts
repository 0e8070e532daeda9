import type { LocalDatabase } from '../../db/database'
import type { EngineClient } from '../../state/services'
import { readPageRequest, SHOWN } from '../../sync/protocol'
import { showChart } from '../show-chart'
import type { SupervisedWorker } from '../supervised-worker'
import { startClock } from './clock'
import { engineVia, askWorker, serviceWorkerFirst, SILENCE_TIMEOUT_MS } from './engine-host'
import { canRegister, registerBackgroundSync, registerPeriodicRefresh, registerWorker } from './registration'
import { startStream } from './start-stream'

export interface BridgeOptions {
  readonly db: LocalDatabase
  readonly worker: () => SupervisedWorker
  /** A new version of the app waits until the user agrees. */
  readonly onUpdateReady: () => void
  /** The engine failed in the background. */
  readonly onFailure: (error: unknown) => void
}

export interface Bridge extends EngineClient {
  /** The user agreed: the new version takes over and every tab reloads. */
  applyUpdate(): void
}

/**
 * The page's side of the engine: the page registers the service worker, which runs the engine, and is itself the clock.
 *
 *     page (clock) ── sync, call ──> service worker (engine) ──> API
 *          ├──── while there is none ───> web worker (the same engine)
 *          └──── seen, hidden, online ──> web worker (stream)
 */
export function startBridge({ db, worker, onUpdateReady, onFailure }: BridgeOptions): Bridge {
  const registration = canRegister() ? registerWorker(onUpdateReady) : null
  const engine = engineVia(
    serviceWorkerFirst(
      async () => registration?.worker() ?? null,
      (request) => worker().use((thread) => askWorker(thread, request, SILENCE_TIMEOUT_MS)),
    ),
  )
  const requestSync = startClock({
    db,
    sync: (reason) => engine.sync(reason),
    onWaiting: () => void registerBackgroundSync().catch(reportError),
    onFailure,
  })
  if (registration !== null) registerPeriodicRefresh().catch(reportError)
  openChartsOnRequest()
  startStream({ worker, ask: requestSync, onFailure })
  return { requestSync, call: engine.call, applyUpdate: () => registration?.applyUpdate() }
}

/** Shows a chart when the service worker asks for it, because the user has clicked a notification. */
export function openChartsOnRequest(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const request = readPageRequest(data)
    if (request === null) return
    showChart(request.widget)
    ports[0]?.postMessage(SHOWN)
  })
}
