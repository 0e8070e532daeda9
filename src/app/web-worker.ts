import type { WorkerApi } from '../../workers/api'
import { loadOnce } from './load-once'

/**
 * The web worker, started at its first use: a dashboard that is only glanced at needs no thread, and the first paint
 * nothing of what looks after one.
 */
export function lazyWorker(load = () => import('./supervised-worker')): () => WorkerApi {
  let worker: WorkerApi | undefined
  const loaded = loadOnce(async () => (await load()).supervisedWorker())
  return () =>
    (worker ??= {
      chart: async (request) => (await loaded()).chart(request),
      csv: async (request) => (await loaded()).csv(request),
      summaries: async (pairs, now) => (await loaded()).summaries(pairs, now),
      aggregate: async (now) => (await loaded()).aggregate(now),
    })
}
