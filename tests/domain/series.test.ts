import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  emptySeries,
  lowerBound,
  mergeSeries,
  seriesFromPoints,
  type Series,
  sliceSeries,
} from '../../src/domain/series'

const pairs = (series: Series): number[][] => Array.from(series.times, (time, i) => [time, series.prices[i]!])
const anyPoints = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 9, noNaN: true })))

test('seriesFromPoints sorts by time, keeps the last price of a time, and drops invalid times and prices', () => {
  const series = seriesFromPoints([
    [3, 30],
    [1, 10],
    [2, NaN],
    [2, -1],
    [2, Infinity],
    [2, null],
    [NaN, 5],
    [1, 11],
    [4, 0],
  ])
  expect(pairs(series)).toEqual([
    [1, 11],
    [3, 30],
    [4, 0],
  ])
})

test('seriesFromPoints gives ascending and unique times for any points', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      expect(pairs(seriesFromPoints(points))).toEqual([...new Map(points)].toSorted((one, other) => one[0] - other[0]))
    }),
  )
})

test('mergeSeries holds the points of both series, and the newer series wins at a shared time', () => {
  fc.assert(
    fc.property(anyPoints, anyPoints, (older, newer) => {
      const merged = mergeSeries(seriesFromPoints(older), seriesFromPoints(newer))
      expect(pairs(merged)).toEqual(pairs(seriesFromPoints([...older, ...newer])))
    }),
  )
})

test('sliceSeries includes its start, excludes its end, and has columns of its own', () => {
  const series = seriesFromPoints([1, 2, 3, 4].map((time) => [time, time]))
  const slice = sliceSeries(series, 2, 4)
  expect([...slice.times]).toEqual([2, 3])
  expect(slice.times.buffer.byteLength).toBe(16)
  expect(sliceSeries(series, 4, 2)).toEqual(emptySeries())
  expect([...sliceSeries(series, 3).times]).toEqual([3, 4])
})

test('lowerBound gives the index of the first time at or after a given time', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(60), (list, time) => {
      const times = Float64Array.from(list.toSorted((one, other) => one - other))
      const naive = times.findIndex((candidate) => candidate >= time)
      expect(lowerBound(times, time)).toBe(naive === -1 ? times.length : naive)
    }),
  )
})
