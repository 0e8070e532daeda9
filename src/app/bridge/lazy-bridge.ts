import type { AskFailure } from '../../db/account-request'
import { loadOnce } from '../load-once'
import type { Bridge } from './start-bridge'

/** Milliseconds after which code that could not be had is asked for again. */
const TRY_AGAIN = 15_000

/**
 * The bridge's calls at once, its code a moment later: the first paint comes from the local database and needs no
 * engine. What is called meanwhile waits; a wish to sync outlives a load that failed.
 */
export function lazyBridge(load: () => Promise<Bridge>): Bridge {
  const loaded = loadOnce(load)
  // Begun now, beside the first paint.
  loaded().catch(reportError)
  const requestSync = (reason: string): void => {
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
    requestHistory: async (coin, period) => (await loaded()).requestHistory(coin, period),
    account: (request) => loaded().then((bridge) => bridge.account(request)).catch(notAnswered), // prettier-ignore
    ask: (question) => loaded().then((bridge) => bridge.ask(question)).catch(notAnswered), // prettier-ignore
    applyUpdate: () => void loaded().then((bridge) => bridge.applyUpdate(), reportError),
  }
}

/** Code that could not be had, or a host that was stopped in the middle, is to a person what a lost answer is. */
function notAnswered(error: unknown): AskFailure {
  reportError(error)
  const message = error instanceof Error ? error.message : String(error)
  return { ok: false, status: 0, error_code: null, message }
}
