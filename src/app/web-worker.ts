import { wrap } from 'comlink'
import type { ChartAnswer, WorkerApi } from '../../workers/api'

/**
 * The web worker, started at its first use: a dashboard that is only glanced at needs no thread. Calls to one that
 * could not be loaded, or died, reject instead of waiting for ever, and the next use starts another.
 */
export function lazyWorker(): () => WorkerApi {
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
    const remote = wrap<WorkerApi>(worker)
    const alive = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, died])
    return {
      chart: (request) => alive<ChartAnswer>(remote.chart(request)),
      summaries: (pairs, now) => alive(remote.summaries(pairs, now)),
      aggregate: (now) => alive(remote.aggregate(now)),
    }
  }
  return () => (api ??= start())
}
