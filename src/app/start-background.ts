import type { WorkerApi } from '../../workers/api'
import { keepAggregating } from './aggregation'
import { type Bridge, type BridgeOptions, startBridge } from './bridge/start-bridge'
import { keepStorage } from './keep-storage'

interface BackgroundOptions extends BridgeOptions {
  readonly store: Parameters<typeof keepStorage>[0]
  readonly worker: () => WorkerApi
}

/** All that goes on behind the screen; the first paint does not wait for its code. */
export function startBackground({ store, worker, ...options }: BackgroundOptions): Bridge {
  keepAggregating(worker, options.onFailure)
  keepStorage(store)
  return startBridge(options)
}
