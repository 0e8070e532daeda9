import { proxy, type Remote, wrap } from 'comlink'
import type { ChartAnswer, OnSlice, RadarAnswer, WorkerApi } from '../../workers/api'

/** The worker ended or hangs, and leaves its open calls unanswered. */
class WorkerGone extends Error {
  override readonly name = 'WorkerGone'
}

/** @param question `isAlive` tells of progress: the time limit begins anew */
type Ask = <T>(question: (api: Remote<WorkerApi>, isAlive: () => void) => Promise<T>) => Promise<T>
type Use = <T>(talk: (thread: Worker) => Promise<T>) => Promise<T>

/**
 * Milliseconds after which a silent worker counts as gone: the longest answer takes a twentieth. A browser that kills a
 * worker tells the page nothing.
 */
const ANSWER_TIMEOUT_MS = 20_000

interface Thread {
  /** Asks the worker; rejects with `WorkerGone` if the worker fails before it answers. */
  readonly ask: Ask
  readonly use: Use
}

/**
 * Starts a worker.
 * @param onGone called once, when the worker has failed or does not answer
 */
function startThread(onGone: (reason: WorkerGone) => void): Thread {
  const worker = new Worker(new URL('../../workers/worker.ts', import.meta.url), { type: 'module' })
  const remote = wrap<WorkerApi>(worker)
  const waiting = new Set<(reason: WorkerGone) => void>()
  let isGone = false
  const giveUp = (reason: string, cause?: unknown): void => {
    if (isGone) return
    isGone = true
    worker.terminate()
    const gone = new WorkerGone(`The web worker failed: ${reason}`, { cause })
    onGone(gone)
    for (const refuse of waiting) refuse(gone)
  }
  worker.addEventListener('error', ({ message, error }) => giveUp(message || 'it could not be loaded', error))

  const untilGone = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.add(reject)
      work.then(resolve, reject).finally(() => waiting.delete(reject))
    })
  return {
    ask: (question) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const isAlive = () => {
        clearTimeout(timer)
        timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS, 'it does not answer')
      }
      isAlive()
      return untilGone(question(remote, isAlive).finally(() => clearTimeout(timer)))
    },
    use: (talk) => untilGone(talk(worker)),
  }
}

export interface SupervisedWorker extends WorkerApi {
  /**
   * Talks to the thread itself, once and for as long as that takes; a thread that hangs is found by the calls that have a
   * limit.
   * @throws WorkerGone if the thread ends before
   */
  readonly use: Use
}

/**
 * The web worker's calls. A worker that ends or hangs is replaced by another, which gets the call once more: a call only
 * reads, or writes what the same call writes again. Requests of the engine are not repeated (decision 0088).
 */
export function supervisedWorker(): SupervisedWorker {
  let thread: Thread | undefined

  const running = (): Thread =>
    (thread ??= startThread((reason) => {
      thread = undefined
      reportError(reason)
    }))
  const ask: Ask = async (question) => {
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
    radar: (request, now) => ask<RadarAnswer>((api) => api.radar(request, now)),
    chance: (request) => ask((api) => api.chance(request)),
    pairReport: (pair, now) => ask((api) => api.pairReport(pair, now)),
    ratioHistory: (pair, days, now) => ask((api) => api.ratioHistory(pair, days, now)),
    walk: (request) => ask((api) => api.walk(request)),
    walkPairs: (rule, onSlice) =>
      ask((api, isAlive) => {
        const onAlive: OnSlice = (done, total) => {
          isAlive()
          return onSlice(done, total)
        }
        return api.walkPairs(rule, proxy(onAlive))
      }),
    aggregate: (now) => ask((api) => api.aggregate(now)),
    use: (talk) => running().use(talk),
  }
}
