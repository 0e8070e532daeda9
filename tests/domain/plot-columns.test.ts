import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastIndex, plotColumn, holes, lonelyPoints, mergeIntervals } from '../../src/domain/plot-columns'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const every = (step: number, count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i * step)

it('a plot column of finite values is not copied', () => {
  const column = Float64Array.of(1, 2)
  expect(plotColumn(column)).toBe(column)
})

it('lastIndex finds the last known value of a plot column, and is -1 where there is none', () => {
  expect(lastIndex([1, null, 3, null])).toBe(2)
  expect(lastIndex(Float64Array.of(1, NaN))).toBe(0)
  expect(lastIndex([null, undefined])).toBe(-1)
  expect(lastIndex([])).toBe(-1)
})

it('a gap in a chart counts as a hole when more than three steps are missing', () => {
  const times = [...every(HOUR, 5), ...every(HOUR, 5, 8 * HOUR)]
  expect(holes(times, HOUR)).toEqual([[4 * HOUR, 8 * HOUR]])
  expect(holes([...every(HOUR, 5), ...every(HOUR, 5, 7 * HOUR)], HOUR)).toEqual([])
})

it('the change to a coarser level at the old end of a chart is no hole', () => {
  const times = [...every(DAY, 10), ...every(HOUR, 10, 9 * DAY + HOUR)]
  expect(holes(times, HOUR)).toEqual([])
})

it('a hole inside the coarser part of a chart is found', () => {
  const times = [...every(DAY, 5), ...every(DAY, 5, 9 * DAY), ...every(HOUR, 5, 13 * DAY + HOUR)]
  expect(holes(times, HOUR)).toEqual([[4 * DAY, 9 * DAY]])
})

it('holes are found on both sides of a lonely chart point', () => {
  const times = [...every(HOUR, 5), 20 * HOUR, ...every(HOUR, 5, 40 * HOUR)]
  expect(holes(times, HOUR)).toEqual([
    [4 * HOUR, 20 * HOUR],
    [20 * HOUR, 40 * HOUR],
  ])
  expect(lonelyPoints(times, times, holes(times, HOUR))).toEqual([5])
})

it('an even series has no holes, however wide its steps', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 3, max: 200 }), (minutes, count) => {
      expect(holes(every(minutes * 60_000, count), 5 * 60_000)).toEqual([])
    }),
  )
})

it('a chart point with no value on either side is lonely', () => {
  expect(lonelyPoints([0, 1, 2, 3, 4, 5], [1, null, 3, null, 5, 6], [])).toEqual([0, 2])
  expect(lonelyPoints([0], [1], [])).toEqual([0])
  expect(lonelyPoints([0, 1], [1, 2], [])).toEqual([])
})

it('intervals that overlap are merged into one', () => {
  expect(
    mergeIntervals([
      [5, 6],
      [1, 3],
      [2, 4],
      [10, 12],
      [11, 11.5],
    ]),
  ).toEqual([
    [1, 4],
    [5, 6],
    [10, 12],
  ])
})
