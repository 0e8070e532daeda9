import { beforeEach, expect, test, vi } from 'vitest'
import { reloadOnceForMissingChunks } from '../../../src/app/missing-chunks'

const reload = vi.spyOn(location, 'reload').mockReturnValue()
const NOON = Date.UTC(2026, 10, 21, 12)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON })
  sessionStorage.clear()
  reload.mockClear()
})
reloadOnceForMissingChunks()

function fail(): Event {
  const event = new Event('vite:preloadError', { cancelable: true })
  window.dispatchEvent(event)
  return event
}

test('a missing chunk reloads the page once, and not again within a minute', () => {
  expect(fail().defaultPrevented).toBe(true)
  expect(reload).toHaveBeenCalledOnce()

  vi.setSystemTime(NOON + 59_000)
  expect(fail().defaultPrevented).toBe(false)
  expect(reload).toHaveBeenCalledOnce()

  vi.setSystemTime(NOON + 61_000)
  fail()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a missing chunk does not reload the page while the browser is offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(fail().defaultPrevented).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})
