import type { LocalDatabase } from '../../db/database'
import { MINUTE } from '../../domain/granularity'
import type { SyncReason } from '../../domain/sync-reason'
import type { EngineClient } from '../../state/services'
import { readPageRequest, SHOWN, failure, type PageSign, STREAM_REQUEST, type StreamSign } from '../../sync/protocol'
import { showChart } from '../show-chart'
import type { SupervisedWorker } from '../supervised-worker'
import { startClock } from './clock'
import { engineVia, askWorker, serviceWorkerFirst, SILENCE_TIMEOUT_MS } from './engine-host'
import { canRegister, registerBackgroundSync, registerPeriodicRefresh, registerWorker } from './registration'

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

/** Milliseconds for which the first screen has the network to itself, and until another web worker takes the place of one that ended. */
const STREAM_DELAY = 500
const STREAM_RETRY = MINUTE

interface StreamOptions {
  readonly worker: () => SupervisedWorker
  readonly ask: (reason: SyncReason) => void
  readonly onFailure: (error: unknown) => void
}

/** Has the web worker keep the stream while this tab is visible, once the first screen has had its turn. */
function startStream(options: StreamOptions, delay = STREAM_DELAY): void {
  const ended = new AbortController()
  const begin = (): void => {
    options
      .worker()
      .use((thread) => accompany(thread, options, ended.signal))
      .catch((error: unknown) => {
        ended.abort()
        options.onFailure(error)
        startStream(options, STREAM_RETRY)
      })
  }
  setTimeout(begin, delay)
}

/** Tells the stream of all that only a page sees; rejects if the web worker could not begin. */
function accompany(thread: Worker, { ask, onFailure }: StreamOptions, signal: AbortSignal): Promise<never> {
  const { port1: port, port2: theirs } = new MessageChannel()
  const tell = (sign: PageSign) => port.postMessage(sign)
  const look = () => tell(document.visibilityState === 'visible' ? 'visible' : 'hidden')
  document.addEventListener('visibilitychange', look, { signal })
  // The connection of the network before is dead, and may not say so for minutes.
  window.addEventListener('online', () => tell('online'), { signal })
  return new Promise((_, reject) => {
    port.addEventListener('message', ({ data }: MessageEvent<StreamSign>) => {
      switch (data.kind) {
        case 'polling':
          return ask('due')
        case 'problem':
          return onFailure(failure(data))
        case 'failed':
          return reject(failure(data))
      }
    })
    port.start()
    thread.postMessage(STREAM_REQUEST, [theirs])
    look()
  })
}
