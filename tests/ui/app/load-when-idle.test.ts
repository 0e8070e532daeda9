// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { loadWhenIdle } from '../../../src/app/start-background'

const failed = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  failed.mockClear()
})
test('code that a press needs is loaded once the page is idle, and not while the first screen has the network', () => {
  const whenIdle = vi.fn<(run: () => void) => void>()
  vi.stubGlobal('requestIdleCallback', whenIdle)
  const load = vi.fn(async () => undefined)
  loadWhenIdle(load, failed)
  vi.advanceTimersByTime(499)
  expect(whenIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(load).not.toHaveBeenCalled()
  whenIdle.mock.calls[0]![0]()
  vi.advanceTimersByTime(60_000)
  expect([load.mock.calls.length, whenIdle.mock.calls.length]).toEqual([1, 1])
})

test('a browser that does not tell when it is idle loads the code of a press half a second after the start', () => {
  const load = vi.fn(async () => undefined)
  loadWhenIdle(load, failed)
  vi.advanceTimersByTime(499)
  expect(load).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(load).toHaveBeenCalledOnce()
})

test('a failed load of the code of a press is reported, and tried again once with the next connection', async () => {
  const gone = new Error('This chunk is gone.')
  const load = vi.fn(async () => undefined).mockRejectedValueOnce(gone)
  loadWhenIdle(load, failed)
  await vi.advanceTimersByTimeAsync(500)
  expect(failed.mock.calls).toEqual([[gone]])
  window.dispatchEvent(new Event('online'))
  window.dispatchEvent(new Event('online'))
  expect(load).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(failed).toHaveBeenCalledOnce()
})
