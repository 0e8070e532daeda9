import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expose } from 'comlink'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyWorker } from '../../../src/app/lazy-services'
import { supervisedWorker } from '../../../src/app/supervised-worker'
import type { ChartAnswer, ChartRequest, WorkerApi } from '../../../workers/api'

const REQUEST = { coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 0 } as ChartRequest
const EMPTY: ChartAnswer = { kind: 'empty' }
const never = () => new Promise<never>(() => undefined)

/** Threads that speak the worker's real protocol over channels; what each answers is queued, the last goes on for ever. */
let answers: Partial<WorkerApi>[] = []
let threads: Thread[] = []

class Thread extends EventTarget {
  readonly #page: MessagePort
  readonly #worker: MessagePort
  readonly terminate = vi.fn(() => this.kill())

  constructor() {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#page = port1
    this.#worker = port2
    const given = answers[Math.min(threads.length, answers.length - 1)]!
    threads.push(this)
    expose(given, port2)
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })))
    port1.start()
  }
  postMessage(data: unknown, transfer: Transferable[] = []) {
    this.#page.postMessage(data, transfer)
  }
  /** As the browser kills a worker: without a word. */
  kill() {
    this.#page.close()
    this.#worker.close()
  }
}

const reported = vi.fn()
beforeEach(() => {
  answers = [{ chart: async () => EMPTY }]
  threads = []
  reported.mockClear()
  vi.stubGlobal('reportError', reported)
  vi.stubGlobal('Worker', Thread)
})
afterEach(() => {
  for (const thread of threads) thread.kill()
})

test('the web worker starts at its first call, and later calls use the same worker', async () => {
  const worker = lazyWorker()
  expect(worker()).toBe(worker())
  expect(threads).toHaveLength(0)
  expect(await worker().chart(REQUEST)).toEqual(EMPTY)
  expect(await worker().chart(REQUEST)).toEqual(EMPTY)
  expect(threads).toHaveLength(1)
})

test('a web worker call fails when the worker’s code cannot be loaded, and the next call loads the code again', async () => {
  const load = vi.fn(() => import('../../../src/app/supervised-worker'))
  load.mockRejectedValueOnce(new Error('This chunk is gone.'))
  const worker = lazyWorker(load)
  await expect(worker().chart(REQUEST)).rejects.toThrow('This chunk is gone.')
  expect(await worker().chart(REQUEST)).toEqual(EMPTY)
})

test('an error that the web worker answers with reaches the caller, and the call is not repeated', async () => {
  const chart = vi.fn(() => Promise.reject(new Error('The database is gone.')))
  answers = [{ chart }]
  await expect(supervisedWorker().chart(REQUEST)).rejects.toThrow('The database is gone.')
  expect([chart.mock.calls.length, threads.length]).toEqual([1, 1])
})

/** The time that a call is given to be answered. */
const passTimeout = async () => {
  await vi.advanceTimersByTimeAsync(19_999)
  const before = threads.length
  await vi.advanceTimersByTimeAsync(1)
  return [before, threads.length]
}

test('a web worker killed during a call is replaced after 20 s by another worker, which answers the call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answers = [{ chart: never }, { chart: async () => EMPTY }]
  const answer = supervisedWorker().chart(REQUEST)
  threads[0]!.kill()
  expect(await passTimeout()).toEqual([1, 2])
  expect(await answer).toEqual(EMPTY)
  expect(reported.mock.calls.map(([error]) => (error as Error).message)).toEqual([
    'The web worker failed: it does not answer',
  ])
})

test('a web worker killed while idle is replaced when the next call has waited for 20 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const worker = supervisedWorker()
  await worker.chart(REQUEST)
  threads[0]!.kill()
  const answer = worker.chart(REQUEST)
  expect(await passTimeout()).toEqual([1, 2])
  expect(await answer).toEqual(EMPTY)
})

test('several calls that hang give up one web worker once, and the next answers them all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answers = [{ chart: never }, { chart: async () => EMPTY }]
  const worker = supervisedWorker()
  const both = Promise.all([worker.chart(REQUEST), worker.chart(REQUEST)])
  expect(await passTimeout()).toEqual([1, 2])
  expect(await both).toEqual([EMPTY, EMPTY])
  expect(threads[0]!.terminate).toHaveBeenCalledTimes(1)
  expect(reported).toHaveBeenCalledTimes(1)
})

test('a call that crashes two web workers is given up with the error', async () => {
  answers = [{ chart: never }]
  const answer = supervisedWorker().chart(REQUEST)
  const refused = expect(answer).rejects.toThrow('The web worker failed: out of memory')
  for (const number of [1, 2]) {
    await vi.waitFor(() => expect(threads).toHaveLength(number))
    threads.at(-1)!.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }))
  }
  await refused
  expect(threads).toHaveLength(2)
  for (const { terminate } of threads) expect(terminate).toHaveBeenCalled()
})

test('an answer of the web worker can be garbage-collected while the worker lives', async () => {
  const worker = supervisedWorker()
  const kept = await Promise.all([1, 2].map(async () => new WeakRef(await worker.chart(REQUEST))))
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await vi.waitFor(() => {
    collect()
    expect(kept.filter((one) => one.deref() !== undefined)).toHaveLength(0)
  })
})
