import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expose } from 'comlink'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyWorker } from '../../../src/app/web-worker'
import { supervisedWorker } from '../../../src/app/supervised-worker'
import type { ChartAnswer, ChartRequest, WorkerApi, WorkerLife } from '../../../workers/api'
import { lockRoom } from '../../sync/support/lock-room'

type Answers = Partial<WorkerApi & WorkerLife>

const REQUEST = { coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 0 } as ChartRequest
const EMPTY: ChartAnswer = { kind: 'empty' }
const never = () => new Promise<never>(() => undefined)

/** Threads that speak the worker's real protocol over channels; what each answers is queued, the last goes on for ever. */
let answers: Answers[] = []
let threads: Thread[] = []
let room = lockRoom()

class Thread extends EventTarget {
  readonly #page: MessagePort
  readonly #worker: MessagePort
  readonly terminate = vi.fn(() => this.kill())
  readonly name: string

  constructor(_: URL, { name }: { readonly name: string }) {
    super()
    this.name = name
    const { port1, port2 } = new MessageChannel()
    this.#page = port1
    this.#worker = port2
    const given = answers[Math.min(threads.length, answers.length - 1)]!
    threads.push(this)
    expose({ holdsLock: () => this.#holdLock(), ...given }, port2)
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })))
    port1.start()
  }
  #holdLock(): Promise<boolean> {
    return new Promise((resolve) => {
      void room.forContext(this.name).request(this.name, () => {
        resolve(true)
        return never()
      })
    })
  }
  postMessage(data: unknown, transfer: Transferable[] = []) {
    this.#page.postMessage(data, transfer)
  }
  /** As the browser does it: without a word. */
  kill() {
    this.close()
    room.release(this.name)
  }
  close() {
    this.#page.close()
    this.#worker.close()
  }
}

const reported = vi.fn()
beforeEach(() => {
  answers = [{ chart: async () => EMPTY }]
  threads = []
  room = lockRoom()
  reported.mockClear()
  vi.stubGlobal('reportError', reported)
  vi.stubGlobal('Worker', Thread)
  vi.stubGlobal('navigator', { locks: room.forContext('page') })
})
afterEach(() => {
  for (const thread of threads) thread.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
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

test('a web worker killed during a call is replaced by another worker, which answers the call', async () => {
  answers = [{ chart: never }, { chart: async () => EMPTY }]
  const answer = supervisedWorker().chart(REQUEST)
  await vi.waitFor(() => expect(room.isHeld(threads[0]!.name)).toBe(true))
  threads[0]!.kill()
  expect(await answer).toEqual(EMPTY)
  expect(threads).toHaveLength(2)
  expect(reported.mock.calls.map(([error]) => (error as Error).message)).toEqual([
    'The web worker failed: it was stopped',
  ])
})

test('a web worker killed while idle is replaced at the next call', async () => {
  const worker = supervisedWorker()
  await worker.chart(REQUEST)
  threads[0]!.kill()
  await vi.waitFor(() => expect(reported).toHaveBeenCalled())
  expect(await worker.chart(REQUEST)).toEqual(EMPTY)
  expect(threads).toHaveLength(2)
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

test('a web worker that hangs for 20 s is replaced, even without a liveness lock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answers = [{ chart: never, holdsLock: async () => false }, { chart: async () => EMPTY }]
  const answer = supervisedWorker().chart(REQUEST)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(threads).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await answer).toEqual(EMPTY)
  expect(threads[0]!.terminate).toHaveBeenCalled()
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
