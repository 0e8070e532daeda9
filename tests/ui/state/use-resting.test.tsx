import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useResting } from '../../../src/state/use-resting'

beforeEach(() => void vi.useFakeTimers())

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('useResting takes its first value at once, and a later value when no other has come for 150 ms', async () => {
  const { result, rerender } = renderHook(({ value }) => useResting(value), { initialProps: { value: 1 } })
  expect(result.current).toBe(1)
  rerender({ value: 2 })
  await pass(149)
  expect(result.current).toBe(1)
  rerender({ value: 3 })
  await pass(149)
  expect(result.current).toBe(1)
  await pass(1)
  expect(result.current).toBe(3)
})
