import type { WorkerApi } from '../../workers/api'
import { MINUTE } from '../domain/granularity'
import { boardAtom } from '../state/live-data'
import type { PushClient } from '../state/push'
import type { Store } from '../state/services'
import { startAlerts } from './alerts/start-alerts'
import { type Bridge, type BridgeOptions, startBridge } from './bridge/start-bridge'
import { startPush } from './push/start-push'

interface BackgroundOptions extends BridgeOptions {
  readonly store: Parameters<typeof keepStorage>[0]
  readonly worker: () => WorkerApi
}

interface Background {
  readonly bridge: Bridge
  readonly push: PushClient
}

/** All that goes on behind the screen; the first paint does not wait for its code. */
export function startBackground({ store, worker, ...options }: BackgroundOptions): Background {
  keepAggregating(worker, options.onFailure)
  keepStorage(store)
  startAlerts(store, { db: options.db, now: Date.now })
  const bridge = startBridge(options)
  return { bridge, push: startPush({ db: options.db, store, engine: bridge }) }
}

const FIRST_RUN = 5_000
const INTERVAL = 5 * MINUTE

/**
 * Folds live ticks into history 5 s after the start and every 5 min; a tab that is hidden by then does it when it is
 * looked at again. Several tabs may do it at once: the same ticks give the same levels.
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
