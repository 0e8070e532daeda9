import type { AccountRequest, AccountResult } from '../../db/account-request'
import type { QuestionKind, QuestionOf, Reply } from '../../db/question'
import type { CoinId } from '../../domain/ids'
import type { Period } from '../../domain/period'
import type { SyncReason } from '../../sync/reason'

/** Whoever runs the engine for this page. */
export interface EngineHost {
  /** Resolves with the time (ms) at which something is due next; null: nothing. */
  sync(reason: SyncReason): Promise<number | null>
  /** Rejects with the specification's sentence as message. */
  history(coin: CoinId, period: Period): Promise<void>
  account(request: AccountRequest): Promise<AccountResult>
  ask<K extends QuestionKind>(question: QuestionOf<K>): Promise<Reply<K>>
}

/** The host did not take the request: nothing was done, and another host may do it. */
export class HostSilent extends Error {
  override readonly name = 'HostSilent'
}
