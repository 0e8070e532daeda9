import { createContext, use } from 'react'
import type { AccountRequest, AccountResult } from '../db/account-request'
import type { CommandContext } from '../db/command'
import type { QuestionKind, QuestionOf, Reply } from '../db/question'
import type { CoinId } from '../domain/ids'
import type { Period } from '../domain/period'
import type { WorkerApi } from '../../workers/api'
import type { PushClient } from './push'

/** What the page can ask of the engine, wherever it runs (service worker or page). */
export interface EngineClient {
  /** Asks for a drain, a pull and whatever else is due; returns at once. */
  requestSync(reason: string): void
  /** Resolves when the history has been stored; rejects with the specification's sentence as message. */
  requestHistory(coin: CoinId, period: Period): Promise<void>
  /** Asked of the server at once, and once: what may have reached it is not asked again. Never rejects. */
  account(request: AccountRequest): Promise<AccountResult>
  /** Asked like `account`; of the answer nothing is stored. Never rejects. */
  ask<K extends QuestionKind>(question: QuestionOf<K>): Promise<Reply<K>>
}

/** Made once by src/app and handed to the features. */
export interface Services {
  readonly commands: CommandContext
  readonly engine: EngineClient
  readonly push: PushClient
  /** Starts the web worker at its first use. */
  readonly worker: () => WorkerApi
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (services === null) throw new Error('ServicesContext is missing')
  return services
}
