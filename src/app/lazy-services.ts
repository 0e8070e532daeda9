import type { CallFailure } from '../db/call'
import { messageOf } from '../domain/error-message'
import type { SyncReason } from '../domain/sync-reason'
import { loadOnce } from '../state/load-once'
import type { PushClient, PushResult } from '../state/push'
import type { Bridge } from './bridge/start-bridge'
import type { SupervisedWorker } from './supervised-worker'

/** Milliseconds until the page asks again for code that it could not load. */
const LOAD_RETRY_MS = 15_000

/**
 * Takes calls at once and loads the bridge's code beside the first paint, which needs no engine. Calls made meanwhile wait;
 * a requested sync outlives a load that failed.
 */
export function lazyBridge(load: () => Promise<Bridge>): Bridge {
  const loaded = loadOnce(load)
  loaded().catch(reportError)
  const requestSync = (reason: SyncReason): void => {
    loaded().then(
      (bridge) => bridge.requestSync(reason),
      (error: unknown) => {
        reportError(error)
        setTimeout(() => requestSync(reason), LOAD_RETRY_MS)
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

/** Shows missing code, or an engine stopped in the middle, to the user as a lost answer. */
function unanswered(error: unknown): CallFailure {
  reportError(error)
  return { ok: false, status: 0, error_code: null, message: messageOf(error) }
}

/**
 * Takes calls at once; `load` begins beside the first paint, so that a click on a switch need not wait for the network while
 * the browser still counts the click as the user's (HTML: transient activation).
 */
export function lazyPush(load: () => Promise<PushClient>): PushClient {
  const ask = async (what: keyof PushClient): Promise<PushResult> => {
    try {
      return await (await load())[what]()
    } catch (error) {
      reportError(error)
      return { ok: false, message: `Error enabling push: ${messageOf(error)}` }
    }
  }
  return { enable: () => ask('enable'), disable: () => ask('disable') }
}

/** Starts the web worker at its first use: the first paint needs no such code. */
export function lazyWorker(load = () => import('./supervised-worker')): () => SupervisedWorker {
  let worker: SupervisedWorker | undefined
  const loaded = loadOnce(async () => (await load()).supervisedWorker())
  return () =>
    (worker ??= {
      chart: async (request) => (await loaded()).chart(request),
      csv: async (request) => (await loaded()).csv(request),
      summaries: async (pairs, now) => (await loaded()).summaries(pairs, now),
      radar: async (request, now) => (await loaded()).radar(request, now),
      chance: async (request) => (await loaded()).chance(request),
      pairReport: async (pair, now) => (await loaded()).pairReport(pair, now),
      ratioHistory: async (pair, days, now) => (await loaded()).ratioHistory(pair, days, now),
      walk: async (request) => (await loaded()).walk(request),
      walkPairs: async (rule, onSlice) => (await loaded()).walkPairs(rule, onSlice),
      aggregate: async (now) => (await loaded()).aggregate(now),
      use: async (talk) => (await loaded()).use(talk),
    })
}
