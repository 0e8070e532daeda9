import type { AccountRequest, AccountResult } from '../db/account-request'
import type { QuestionKind, QuestionOf, Reply } from '../db/question'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/period'
import { answerAccount } from './account/answer-account'
import { syncAccount } from './account/sync-account'
import { createBell } from './bell'
import { coalesce } from './coalesce'
import type { EngineEnv } from './env'
import { fetchHistory } from './history'
import { answerQuestion } from './questions/answer-question'
import type { SyncReason } from './reason'
import { nextDueAt, syncMarket, syncWidgets } from './sync-rounds'
import { withReach } from './report'

/** The engine as its host runs it, the service worker or a page. */
export interface Engine {
  /** Does whatever is due; resolves with the time (ms) at which something is due next, null: nothing. */
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
  const widgets = coalesce((reason) => withReach(env, (heard) => syncWidgets(heard, reason, bell)))
  const market = coalesce((reason) => withReach(env, (heard) => syncMarket(heard, reason)))
  const account = coalesce((reason) => withReach(env, (heard) => syncAccount(heard, reason)))
  const fetches = new Map<string, Promise<void>>()
  return {
    async sync(reason) {
      bell.ring()
      const results = await Promise.allSettled([widgets(reason), market(reason), account(reason)])
      const failed = results.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return nextDueAt(env)
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
