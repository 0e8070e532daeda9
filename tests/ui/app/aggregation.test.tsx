import { beforeEach, expect, test, vi } from 'vitest'
import { keepAggregating } from '../../../src/app/start-background'
import type { WorkerApi } from '../../../workers/api'

beforeEach(() => void vi.useFakeTimers())

const failed = vi.fn()

function start(aggregate = vi.fn(() => Promise.resolve())) {
  failed.mockClear()
  keepAggregating(() => ({ aggregate }) as unknown as WorkerApi, failed)
  return aggregate
}

test('the price history is aggregated 5 seconds after the start and then every 5 minutes', () => {
  const aggregate = start()
  vi.advanceTimersByTime(4_999)
  expect(aggregate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(aggregate.mock.calls).toEqual([[Date.now()]])
  vi.advanceTimersByTime(5 * 60_000)
  expect(aggregate).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5 * 60_000)
  expect(aggregate).toHaveBeenCalledTimes(3)
})

test('aggregation of the price history pauses while the tab is hidden, and catches up once the tab is visible', () => {
  const aggregate = start()
  const look = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  look('hidden')
  vi.advanceTimersByTime(20 * 60_000)
  expect(aggregate).not.toHaveBeenCalled()
  look('visible')
  expect(aggregate).toHaveBeenCalledTimes(1)
  look('hidden')
  look('visible')
  expect(aggregate).toHaveBeenCalledTimes(1)
})

test('a failed aggregation of the price history is reported, and the next run follows after 5 minutes', async () => {
  const reason = new Error('The disk is full.')
  const aggregate = start(vi.fn(() => Promise.reject(reason)))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(failed).toHaveBeenCalledWith(reason)
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(aggregate).toHaveBeenCalledTimes(2)
})
