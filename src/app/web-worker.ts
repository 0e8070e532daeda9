import type { Remote } from 'comlink'
import type { ChartAnswer, WorkerApi } from '../../workers/api'

/**
 * The web worker, started at its first use: a dashboard that is only glanced at needs no thread. Calls to one that
 * could not be loaded, or died, reject instead of waiting for ever, and the next use starts another.
 */
export function lazyWorker(loadComlink = () => import('comlink')): () => WorkerApi {
  let api: WorkerApi | undefined
  const start = (): WorkerApi => {
    const worker = new Worker(new URL('../../workers/worker.ts', import.meta.url), { type: 'module' })
    const died = new Promise<never>((_, reject) => {
      worker.addEventListener('error', (event) => {
        worker.terminate()
        api = undefined
        reject(new Error(`The web worker failed: ${event.message || 'it could not be loaded'}`, { cause: event.error }))
      })
    })
    // Whoever called hears of it; nobody may have.
    died.catch((error: unknown) => reportError(error))
    // Not needed for the first paint. Wrapped once more: a promise would take the proxy itself for another promise.
    const remote = loadComlink().then(({ wrap }) => ({ api: wrap<WorkerApi>(worker) }))
    remote.catch(() => {
      worker.terminate()
      api = undefined
    })
    const ask = <T>(question: (api: Remote<WorkerApi>) => Promise<T>): Promise<T> =>
      Promise.race([remote.then(({ api }) => question(api)), died])
    return {
      chart: (request) => ask<ChartAnswer>((api) => api.chart(request)),
      csv: (request) => ask((api) => api.csv(request)),
      summaries: (pairs, now) => ask((api) => api.summaries(pairs, now)),
      aggregate: (now) => ask((api) => api.aggregate(now)),
    }
  }
  return () => (api ??= start())
}
