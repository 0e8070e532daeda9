import type { WorkerApi } from '../../workers/api'
import { isStorageFull, StorageFull } from '../db/quota-eviction'
import { MINUTE } from '../domain/granularity'
import { boardAtom } from '../state/live-data'
import { loadCommands } from '../state/use-command'
import type { Store } from '../state/services'
import { showToastAtom } from '../state/toasts'
import { startAlerts } from './alerts/start-alerts'
import { type BridgeOptions, startBridge } from './bridge/start-bridge'
import { startPush } from './push/start-push'

interface BackgroundOptions extends Omit<BridgeOptions, 'onFailure'> {
  readonly store: Store
}

/** Starts all that runs behind the screen; the first paint does not wait for this code. */
export function startBackground({ db, store, worker, onUpdateReady }: BackgroundOptions) {
  const onFailure = backgroundFailure(store)
  keepAggregating(worker, onFailure)
  keepStorage(store)
  loadWhenIdle(loadCommands, onFailure)
  startAlerts(store, { db, now: Date.now })
  const bridge = startBridge({ db, worker, onUpdateReady, onFailure })
  return { bridge, push: startPush({ db, store, engine: bridge }) }
}

/** Reports errors of background work, and tells the user once that the storage is full: every poll meets that again. */
export function backgroundFailure(store: Store): (error: unknown) => void {
  let isFullReported = false
  return (error) => {
    reportError(error)
    if (isFullReported || !isStorageFull(error)) return
    isFullReported = true
    store.set(showToastAtom, { kind: 'error', message: new StorageFull(error).message })
  }
}

const FIRST_RUN = 5_000
const INTERVAL = 5 * MINUTE

/**
 * Folds live ticks into history 5 s after the start and every 5 min; a hidden tab does so when the user looks at the tab
 * again. Several tabs may do so at once: the same ticks give the same levels.
 */
export function keepAggregating(worker: () => WorkerApi, onFailure: (error: unknown) => void): void {
  let owed = false
  const run = () => {
    owed = document.visibilityState !== 'visible'
    if (!owed) worker().aggregate(Date.now()).catch(onFailure)
  }
  setTimeout(run, FIRST_RUN)
  setInterval(run, INTERVAL)
  document.addEventListener('visibilitychange', () => {
    if (owed) run()
  })
}

/** Milliseconds for which the first screen has the network to itself. */
const IDLE_DELAY = 500
/** Milliseconds after which a page that is never idle loads all the same. */
const IDLE_LIMIT = 2_000

/** Loads code that a press needs before a press can need it; after a failure again with the next connection. */
export function loadWhenIdle(load: () => Promise<unknown>, onFailure: (error: unknown) => void): void {
  const begin = () => {
    load().catch((error: unknown) => {
      window.addEventListener('online', begin, { once: true })
      onFailure(error)
    })
  }
  setTimeout(() => {
    // Safari does not tell when it is idle.
    if ('requestIdleCallback' in window) requestIdleCallback(begin, { timeout: IDLE_LIMIT })
    else begin()
  }, IDLE_DELAY)
}

/** Asks the browser once not to clear the local database by itself, as soon as there is a pair worth keeping. */
export function keepStorage(store: Store): void {
  // Plain http has no storage manager.
  const manager = navigator.storage as StorageManager | undefined
  if (manager?.persist === undefined) return
  const stop = store.sub(boardAtom, () => {
    if ((store.get(boardAtom)?.widgets.length ?? 0) === 0) return
    stop()
    const ask = async () => {
      if (!(await manager.persisted())) await manager.persist()
    }
    ask().catch(reportError)
  })
}
