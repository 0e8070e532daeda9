import { type EngineHost, HostSilent } from './host'

/**
 * Asks the service worker, and the page where that does not take the request. A worker that is still installing, or was
 * stopped for good, is asked again with the next request: the locks keep two engines from getting in each other's way.
 */
export function eitherHost(worker: EngineHost, page: EngineHost): EngineHost {
  const orPage = async <T>(ask: (host: EngineHost) => Promise<T>): Promise<T> => {
    try {
      return await ask(worker)
    } catch (error) {
      if (error instanceof HostSilent) return ask(page)
      throw error
    }
  }
  return {
    sync: (reason) => orPage((host) => host.sync(reason)),
    history: (coin, period) => orPage((host) => host.history(coin, period)),
    account: (request) => orPage((host) => host.account(request)),
    ask: (question) => orPage((host) => host.ask(question)),
  }
}
