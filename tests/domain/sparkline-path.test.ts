import { expect, it } from 'vitest'
import { sparklinePath } from '../../src/domain/sparkline-path'

const box = { width: 100, height: 40, from: 0, to: 1000 }

it('a sparkline spans its box: time from left to right, the largest value at the top', () => {
  const path = sparklinePath(Float64Array.of(0, 500, 1000), Float64Array.of(1, 3, 2), box)
  expect(path).toEqual({ line: 'M0 40L50 0L100 20', area: 'M0 40L50 0L100 20L100 40L0 40Z' })
})

it('a sparkline starts where its data starts', () => {
  expect(sparklinePath(Float64Array.of(750, 1000), Float64Array.of(1, 2), box)?.line).toBe('M75 40L100 0')
})

it('a sparkline runs through the middle when the value did not move', () => {
  expect(sparklinePath(Float64Array.of(0, 1000), Float64Array.of(7, 7), box)?.line).toBe('M0 20L100 20')
})

it('a sparkline leaves out values that are no number, and is nothing below two points', () => {
  const times = Float64Array.of(0, 500, 1000)
  expect(sparklinePath(times, Float64Array.of(1, NaN, 2), box)?.line).toBe('M0 40L100 0')
  expect(sparklinePath(times, Float64Array.of(1, NaN, Infinity), box)).toBeNull()
  expect(sparklinePath(new Float64Array(0), new Float64Array(0), box)).toBeNull()
})

it('a sparkline spans its box for a tiny difference between large values as well', () => {
  expect(sparklinePath(Float64Array.of(0, 1000), Float64Array.of(1e12, 1e12 + 1), box)?.line).toBe('M0 40L100 0')
})
