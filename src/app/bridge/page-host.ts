import type { LocalDatabase } from '../../db/database'
import type { Engine } from '../../sync/engine'
import type { EngineHost } from './host'

/** The same engine in the page itself, loaded when it is first needed. */
export function pageHost(db: LocalDatabase): EngineHost {
  let loading: Promise<Engine> | undefined
  const engine = (): Promise<Engine> => {
    loading ??= load(db).catch((error: unknown) => {
      // The network may be back at the next request.
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    sync: async (reason) => (await engine()).sync(reason),
    history: async (coin, period) => (await engine()).history(coin, period),
    account: async (request) => (await engine()).account(request),
  }
}

async function load(db: LocalDatabase): Promise<Engine> {
  const { createPageEngine } = await import('./page-engine')
  return createPageEngine(db)
}
