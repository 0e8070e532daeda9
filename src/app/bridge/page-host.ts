import type { LocalDatabase } from '../../db/database'
import type { Engine } from '../../sync/engine'
import { loadOnce } from '../load-once'
import type { EngineHost } from './host'

/** The same engine in the page itself, loaded when it is first needed. */
export function pageHost(db: LocalDatabase): EngineHost {
  const engine = loadOnce(async (): Promise<Engine> => {
    const { createPageEngine } = await import('./page-engine')
    return createPageEngine(db)
  })
  return {
    sync: async (reason) => (await engine()).sync(reason),
    history: async (coin, period) => (await engine()).history(coin, period),
    account: async (request) => (await engine()).account(request),
    ask: async (question) => (await engine()).ask(question),
  }
}
