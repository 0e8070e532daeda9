import { expect, test } from 'vitest'
import { movedThreshold, steppedThreshold } from '../../src/domain/moved-threshold'

test('a moved threshold has five significant digits', () => {
  expect(movedThreshold('high', 28.123456, { high: null, low: null })).toBe(28.123)
  expect(movedThreshold('low', 0.000012345678, { high: null, low: null })).toBe(0.000012346)
})

test('a moved high threshold stops above the low one, a low one below the high one', () => {
  const thresholds = { high: 30, low: 20 }
  expect(movedThreshold('high', 15, thresholds)).toBe(20.02)
  expect(movedThreshold('low', 40, thresholds)).toBe(29.97)
  expect(movedThreshold('high', 25, thresholds)).toBe(25)
})

test('a moved threshold stays a number that can be stored', () => {
  expect(movedThreshold('low', -4, { high: null, low: null })).toBe(1e-30)
  expect(movedThreshold('high', 1e40, { high: null, low: null })).toBe(1e30)
})

test('keys step by a thousandth, by a hundredth with Shift or as pages, and others not at all', () => {
  expect(steppedThreshold(100, 'ArrowUp', false)).toBeCloseTo(100.1, 9)
  expect(steppedThreshold(100, 'ArrowLeft', false)).toBeCloseTo(99.9, 9)
  expect(steppedThreshold(100, 'ArrowDown', true)).toBeCloseTo(99, 9)
  expect(steppedThreshold(100, 'PageUp', false)).toBeCloseTo(101, 9)
  expect([steppedThreshold(100, 'Tab', false), steppedThreshold(100, 'a', true)]).toEqual([null, null])
})
