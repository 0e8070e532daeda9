import type { AccountRequest, AccountResult } from '../db/account-request'
import type { QuestionKind, QuestionOf, Reply } from '../db/question'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/period'
import { answerAccount } from './account/answer-account'
import { syncAccount } from './account/sync-account'
import { createBell } from './bell'
import type { EngineEnv } from './env'
import { fetchHistory } from './history'
import { answerQuestion } from './questions/answer-question'
import { watchedPart } from './part'
import type { SyncReason } from './reason'
import { withReach } from './report'
import { SyncFailed } from './sync-failed'
import { accountDueAt, marketDueAt, syncMarket, syncWidgets, widgetsDueAt } from './sync-rounds'

/** The engine as its host runs it, the service worker or a page. */
export interface Engine {
  /**
   * Does whatever is due; resolves with the time (ms) at which something is due next, null: nothing.
   * @throws SyncFailed where a part failed, after all parts have ended
   */
  sync(reason: SyncReason): Promise<number | null>
  /** Rejects with the specification's sentence as message. */
  history(coin: CoinId, period: Period): Promise<void>
  account(request: AccountRequest): Promise<AccountResult>
  ask<K extends QuestionKind>(question: QuestionOf<K>): Promise<Reply<K>>
}

/**
 * Several tabs ask one host at the same time: each part runs one at a time, the parts side by side, so that a slow
 * price poll does not hold a change back. A drain under way is told of new changes by the bell.
 */
export function createEngine(env: EngineEnv): Engine {
  const bell = createBell()
  const parts = [
    watchedPart(env, (heard, reason) => syncWidgets(heard, reason, bell), widgetsDueAt),
    watchedPart(env, syncMarket, marketDueAt),
    watchedPart(env, syncAccount, accountDueAt),
  ]
  const fetches = new Map<string, Promise<void>>()
  return {
    async sync(reason) {
      bell.ring()
      const results = await Promise.allSettled(parts.map((part) => part.sync(reason)))
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
      const times = await Promise.all(parts.map((part) => part.dueAt((error) => failures.push(error))))
      const due = times.filter((time) => time !== null)
      if (failures.length > 0) throw new SyncFailed(failures[0], Math.min(...due))
      return due.length === 0 ? null : Math.min(...due)
    },
    history(coin, period) {
      const key = `${coin}:${period}`
      const running = fetches.get(key)
      if (running !== undefined) return running
      const fetching = withReach(env, (heard) => fetchHistory(heard, coin, period)).finally(() => fetches.delete(key))
      fetches.set(key, fetching)
      return fetching
    },
    account: (request) => withReach(env, (heard) => answerAccount(heard, request)),
    ask: (question) => withReach(env, (heard) => answerQuestion(heard, question)),
  }
}
