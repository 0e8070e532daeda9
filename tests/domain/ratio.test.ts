import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ratioOf } from '../../src/domain/pair'
import { closeWith, joinRatios, type RatioSeries, sliceRatios, valueNearest } from '../../src/domain/ratio-series'
import { seriesFromPoints, type Series } from '../../src/domain/series'

const points = (ratios: RatioSeries): number[][] => Array.from(ratios.times, (time, i) => [time, ratios.ratios[i]!])

/** The rule of the join, looked up point by point. */
function naiveJoin(a: Series, b: Series, width: number): number[][] {
  const found: number[][] = []
  for (const [i, time] of a.times.entries()) {
    const known = [...b.times].map((at, j) => ({ at, price: b.prices[j]! }))
    const same = known.find(({ at }) => at === time)
    const before = known.findLast(({ at }) => at < time)
    const after = known.find(({ at }) => at > time)
    let price = NaN
    if (same !== undefined) price = same.price
    else if (before !== undefined && after !== undefined) {
      const share = (time - before.at) / (after.at - before.at)
      const isUsable = after.at - before.at <= 3 * width && before.price > 0 && after.price > 0
      if (isUsable) price = before.price + (after.price - before.price) * share
    } else {
      const nearest = before ?? after
      if (nearest !== undefined && Math.abs(nearest.at - time) <= width) price = nearest.price
    }
    if (price > 0 && Number.isFinite(a.prices[i]! / price)) found.push([time, a.prices[i]! / price])
  }
  return found
}

const series = fc
  .array(fc.tuple(fc.nat(60), fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e6, noNaN: true }))), {
    maxLength: 30,
  })
  .map((list) => seriesFromPoints(list))

test('joinRatios agrees with its rule looked up point by point', () => {
  fc.assert(
    fc.property(series, series, fc.integer({ min: 1, max: 12 }), (a, b, width) => {
      expect(points(joinRatios(a, b, width))).toEqual(naiveJoin(a, b, width))
    }),
  )
})

test('the joined ratios of a pair and of its reverse multiply to 1 where both coins have points', () => {
  const times = fc.uniqueArray(fc.nat(100), { minLength: 1 })
  const price = fc.double({ min: 1e-8, max: 1e5, noNaN: true })
  fc.assert(
    fc.property(times, fc.infiniteStream(price), (at, prices) => {
      const make = (): Series => seriesFromPoints(at.map((time) => [time, prices.next().value!]))
      const [a, b] = [make(), make()]
      const forth = joinRatios(a, b, 1)
      const back = joinRatios(b, a, 1)
      expect(forth.times.length).toBe(at.length)
      for (const [i, ratio] of forth.ratios.entries()) expect(ratio * back.ratios[i]!).toBeCloseTo(1, 12)
    }),
  )
})

test('joinRatios takes the largest gap between neighbours from the coarser level where two levels meet', () => {
  const a = seriesFromPoints([
    [50, 1],
    [130, 1],
  ])
  const b = seriesFromPoints([
    [0, 2],
    [100, 2],
    [160, 2],
  ])
  expect([...joinRatios(a, b, Float64Array.of(40, 10, 10)).times]).toEqual([50])
  expect([...joinRatios(a, b, Float64Array.of(40, 40, 10)).times]).toEqual([50, 130])
  expect([...joinRatios(a, b, 10).times]).toEqual([])
})

test.each([
  [10, 4, 2.5],
  [0, 4, 0],
  [10, 0, null],
  [10, -1, null],
  [10, undefined, null],
  [null, 4, null],
  [NaN, 4, null],
  [1e300, 1e-300, null],
])('the current ratio of %s / %s is %s', (a, b, ratio) => expect(ratioOf(a, b)).toBe(ratio))

describe('ratio series', () => {
  const three: RatioSeries = { times: Float64Array.of(10, 20, 30), ratios: Float64Array.of(1, 2, 3) }

  test('valueNearest gives the point nearest to a time, of two equally near the earlier', () => {
    const nearest = (time: number) => valueNearest(three, time)?.time
    expect([-9, 10, 14, 15, 16, 29, 99].map(nearest)).toEqual([10, 10, 10, 10, 20, 30, 30])
    expect(valueNearest({ times: new Float64Array(0), ratios: new Float64Array(0) }, 10)).toBeNull()
  })

  test('closeWith puts the closing point last and drops points that are not older', () => {
    expect(points(closeWith(three, 35, 9))).toEqual([
      [10, 1],
      [20, 2],
      [30, 3],
      [35, 9],
    ])
    expect(points(closeWith(three, 20, 9))).toEqual([
      [10, 1],
      [20, 9],
    ])
  })

  test('sliceRatios includes its start and excludes its end', () => {
    expect(points(sliceRatios(three, 10, 30))).toEqual([
      [10, 1],
      [20, 2],
    ])
    expect(points(sliceRatios(three, 31))).toEqual([])
  })
})
