import { atom, createStore } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { onceKnown } from '../../../src/features/chart/once-known'

afterEach(() => void vi.useRealTimers())

test('what waits for a value goes on once it is known, and when its time is over without it, once', () => {
  vi.useFakeTimers()
  const store = createStore()
  const source = atom<number | null>(null)
  const [known, without] = [vi.fn(), vi.fn()]
  onceKnown(store, source, known)
  store.set(source, 0)
  expect(known).toHaveBeenCalledTimes(1)
  onceKnown(store, source, known)
  expect(known).toHaveBeenCalledTimes(2)

  store.set(source, null)
  onceKnown(store, source, without)
  vi.advanceTimersByTime(9_999)
  expect(without).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  store.set(source, 1)
  vi.runAllTimers()
  expect(without).toHaveBeenCalledTimes(1)
  expect(known).toHaveBeenCalledTimes(2)
})
