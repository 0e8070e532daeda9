import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useRowsInSight } from '../../../src/features/radar/use-rows-in-sight'

const ROW = 56
/** Of the list, from the document's upper edge. */
const TOP = 200

test('a list that is measured while it is scrolled draws the rows that are in sight then, and the first when scrolled back', () => {
  let scrolled = 1000 * ROW
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => scrolled)
  const list = document.createElement('ol')
  vi.spyOn(list, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, TOP - scrolled, 360, 4950 * ROW))
  const { result } = renderHook(() => useRowsInSight({ current: list }, ROW, 4950))
  expect(result.current.first).toBeLessThanOrEqual(995)
  expect(result.current.end).toBeGreaterThan(1000)
  scrolled = 0
  act(() => void window.dispatchEvent(new Event('scroll')))
  expect(result.current.first).toBe(0)
})
