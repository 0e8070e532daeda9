import type { CallFailure } from '../db/call'
import type { SyncReason } from '../domain/sync-reason'
import type { Bridge } from './bridge/start-bridge'
import { messageOf } from '../domain/error-message'

/** Milliseconds after which code that could not be loaded is asked for again. */
const TRY_AGAIN = 15_000

/**
 * The bridge's calls at once, its code a moment later: the first paint comes from the local database and needs no
 * engine. Calls made meanwhile wait; a requested sync outlives a load that failed.
 */
export function lazyBridge(load: () => Promise<Bridge>): Bridge {
  const loaded = loadOnce(load)
  // Begun now, beside the first paint.
  loaded().catch(reportError)
  const requestSync = (reason: SyncReason): void => {
    loaded().then(
      (bridge) => bridge.requestSync(reason),
      (error: unknown) => {
        reportError(error)
        setTimeout(() => requestSync(reason), TRY_AGAIN)
      },
    )
  }
  return {
    requestSync,
    call: (route, input) =>
      loaded()
        .then((bridge) => bridge.call(route, input))
        .catch(unanswered),
    applyUpdate: () => void loaded().then((bridge) => bridge.applyUpdate(), reportError),
  }
}

/** Code that could not be loaded, or a host that was stopped in the middle, is to a person what a lost answer is. */
function unanswered(error: unknown): CallFailure {
  reportError(error)
  const message = messageOf(error)
  return { ok: false, status: 0, error_code: null, message }
}

/** Loads at the first call, once for all; a load that failed is tried again by the next one, when the network may be back. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
