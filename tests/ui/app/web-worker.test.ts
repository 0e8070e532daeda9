import { afterEach, expect, test, vi } from 'vitest'
import { lazyWorker } from '../../../src/app/web-worker'
import type { ChartRequest } from '../../../workers/api'

/** A thread that takes messages and never answers. */
class SilentWorker extends EventTarget {
  static readonly started: SilentWorker[] = []
  readonly postMessage = vi.fn()
  readonly terminate = vi.fn()
  constructor() {
    super()
    SilentWorker.started.push(this)
  }
}

afterEach(() => {
  SilentWorker.started.length = 0
  vi.unstubAllGlobals()
})

const REQUEST = { coinA: 'bitcoin', coinB: 'ethereum', period: '7d', now: 0 } as ChartRequest

test('starts one worker at its first use', () => {
  vi.stubGlobal('Worker', SilentWorker)
  const worker = lazyWorker()
  expect(SilentWorker.started).toHaveLength(0)
  expect(worker()).toBe(worker())
  expect(SilentWorker.started).toHaveLength(1)
})

test('rejects what a worker that died will never answer, and starts another', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  vi.stubGlobal('Worker', SilentWorker)
  const worker = lazyWorker()
  const answer = worker().chart(REQUEST)
  const [first] = SilentWorker.started
  first!.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }))

  await expect(answer).rejects.toThrow('The web worker failed: out of memory')
  expect(first!.terminate).toHaveBeenCalledOnce()
  expect(reported).toHaveBeenCalledOnce()
  worker()
  expect(SilentWorker.started).toHaveLength(2)
})

test('passes on what could not be loaded to talk to the worker, and starts another at the next use', async () => {
  vi.stubGlobal('Worker', SilentWorker)
  const worker = lazyWorker(() => Promise.reject(new Error('This chunk is gone.')))
  await expect(worker().chart(REQUEST)).rejects.toThrow('This chunk is gone.')
  expect(SilentWorker.started[0]!.terminate).toHaveBeenCalledOnce()
  worker()
  expect(SilentWorker.started).toHaveLength(2)
})
