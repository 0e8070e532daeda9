import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAggregating } from '../../../src/app/aggregation'
import type { WorkerApi } from '../../../workers/api'
import { catchReports } from '../support/local-app'

beforeEach(() => {
  vi.useFakeTimers()
  catchReports()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function start() {
  const aggregate = vi.fn(() => Promise.resolve())
  keepAggregating(() => ({ aggregate }) as unknown as WorkerApi)
  return aggregate
}

test('runs 5 seconds after the start and then every 5 minutes', () => {
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

test('rests while nobody sees the tab', () => {
  const aggregate = start()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  vi.advanceTimersByTime(20 * 60_000)
  expect(aggregate).not.toHaveBeenCalled()
})
