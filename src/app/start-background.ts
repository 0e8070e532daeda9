import type { WorkerApi } from '../../workers/api'
import type { PushClient } from '../state/push'
import { startAlerts } from './alerts/start-alerts'
import { keepAggregating } from './aggregation'
import { type Bridge, type BridgeOptions, startBridge } from './bridge/start-bridge'
import { keepStorage } from './keep-storage'
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
