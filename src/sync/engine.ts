import type { Call, CallInput, CallResult, CallRoute, CallValue } from '../db/call'
import type { SyncReason } from '../domain/sync-reason'
import { syncAccount } from './account/sync-account'
import { performCall } from './call'
import type { EngineEnv } from './env'
import { accountDueAt, marketDueAt, syncMarket, syncWidgets, watchedPart, widgetsDueAt } from './engine-parts'
import { withReach } from './report'
import { createSignal } from './drain'
import { SyncFailed } from './protocol'

/** The engine as its host runs it, the service worker or a page. */
export interface Engine {
  /**
   * Does whatever is due; resolves with the time (ms) at which something is due next, null: nothing.
   * @throws SyncFailed where a part failed, after all parts have ended
   */
  sync(reason: SyncReason): Promise<number | null>
  readonly call: Call
}

/**
 * Several tabs ask one host at the same time: each part runs one at a time, the parts side by side, so that a slow
 * price poll does not hold a change back. A drain under way is told of new changes by the signal.
 */
export function createEngine(env: EngineEnv): Engine {
  const signal = createSignal()
  const parts = [
    watchedPart(env, (heard, reason) => syncWidgets(heard, reason, signal), widgetsDueAt),
    watchedPart(env, syncMarket, marketDueAt),
    watchedPart(env, syncAccount, accountDueAt),
  ]
  const histories = new Map<string, Promise<unknown>>()
  return {
    async sync(reason) {
      signal.notify()
      const results = await Promise.allSettled(parts.map((part) => part.sync(reason)))
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      const times = await Promise.all(parts.map((part) => part.dueAt((error) => failures.push(error))))
      const due = times.filter((time) => time !== null)
      if (failures.length > 0) throw new SyncFailed(failures[0], Math.min(...due))
      return due.length === 0 ? null : Math.min(...due)
    },
    call<R extends CallRoute>(route: R, input: CallInput<R>) {
      const perform = () => withReach(env, (heard) => performCall(heard, route, input))
      if (route !== 'historical') return perform()
      // Charts that ask for the same history at the same time share one request.
      const key = JSON.stringify(input)
      const running = histories.get(key) ?? perform().finally(() => histories.delete(key))
      histories.set(key, running)
      return running as Promise<CallResult<CallValue<R>>>
    },
  }
}

/** Sends what waits, for Background Sync; rejects while something still waits, so that the browser tries again by itself. */
export async function flushOutbox(engine: Engine, isEmpty: () => Promise<boolean>): Promise<void> {
  await engine.sync('background')
  if (!(await isEmpty())) throw new Error('Changes still wait.')
}
