import type { Remote } from 'comlink'
import type { ChartAnswer, WorkerApi } from '../../workers/api'
import { startThread, type WorkerThread, WorkerGone } from './worker-thread'

/**
 * The web worker's calls, whatever becomes of the worker. One that ends or hangs is followed by another, which is asked
 * the same once more: a call only reads, or writes what the same call writes again.
 */
export function supervisedWorker(start: () => WorkerThread = startThread): WorkerApi {
  let thread: WorkerThread | undefined

  const running = (): WorkerThread => {
    if (thread !== undefined) return thread
    const started = start()
    thread = started
    void started.gone.then((reason) => {
      if (thread === started) thread = undefined
      reportError(reason)
    })
    return started
  }
  const ask = async <T>(question: (api: Remote<WorkerApi>) => Promise<T>): Promise<T> => {
    try {
      return await running().ask(question)
    } catch (error) {
      if (!(error instanceof WorkerGone)) throw error
      return running().ask(question)
    }
  }
  return {
    chart: (request) => ask<ChartAnswer>((api) => api.chart(request)),
    csv: (request) => ask((api) => api.csv(request)),
    summaries: (pairs, now) => ask((api) => api.summaries(pairs, now)),
    aggregate: (now) => ask((api) => api.aggregate(now)),
  }
}
