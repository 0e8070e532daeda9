import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { touchesOf } from '../../src/domain/touches'
import type { RatioSeries } from '../../src/domain/ratio-series'

/** Reference by another way: from each point that reaches the threshold, searched forward for the point that is back. */
function slowTouches(
  { times, ratios }: RatioSeries,
  side: 'high' | 'low',
  threshold: number,
): ReturnType<typeof touchesOf> {
  const points = Array.from(times, (time, index) => ({ time, ratio: ratios[index]! }))
  const mean = points.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / points.length
  const isBeyond = ({ ratio }: { ratio: number }) => (side === 'high' ? ratio >= threshold : ratio <= threshold)
  const isBack = (point: { ratio: number }) =>
    !isBeyond(point) && (side === 'high' ? Math.log(point.ratio) <= mean : Math.log(point.ratio) >= mean)
  const episodes: { begin: number; end: number | null }[] = []
  const armed = points.findIndex((point) => !isBeyond(point))
  for (let from = armed === -1 ? points.length : armed; from < points.length;) {
    const start = points.findIndex((point, index) => index >= from && isBeyond(point))
    if (start === -1) break
    const end = points.findIndex((point, index) => index > start && isBack(point))
    episodes.push({ begin: points[start]!.time, end: end === -1 ? null : points[end]!.time })
    from = end === -1 ? points.length : end
  }
  const lengths = episodes
    .flatMap(({ begin, end }) => (end === null ? [] : [end - begin]))
    .toSorted((one, other) => one - other)
  const middle = (lengths.length - 1) / 2
  const stretches = points.slice(0, -1).map((point, index) => ({ point, length: times[index + 1]! - point.time }))
  const total = stretches.reduce((sum, { length }) => sum + length, 0)
  const inside = stretches.filter(({ point }) => isBeyond(point)).reduce((sum, { length }) => sum + length, 0)
  return {
    count: episodes.length,
    cameBack: lengths.length,
    medianBack: lengths.length === 0 ? null : (lengths[Math.floor(middle)]! + lengths[Math.ceil(middle)]!) / 2,
    last: episodes.at(-1)?.begin ?? null,
    isUnderWay: episodes.at(-1)?.end === null,
    shareBeyond: total > 0 ? inside / total : Number(points[0] !== undefined && isBeyond(points[0])),
  }
}

const series = (ratios: readonly number[], times = ratios.map((_, index) => index * 10)) => ({
  times: Float64Array.from(times),
  ratios: Float64Array.from(ratios),
})

test('a ratio that trembles around the high threshold has reached it once until it is back at the average', () => {
  // The mean of the logarithms is that of 2.29, the plain mean would be 3.06.
  const swing = series([1, 5, 4, 5, 3, 1, 5, 0.5])
  expect(touchesOf(swing, 'high', 5)).toEqual({
    count: 2,
    cameBack: 2,
    medianBack: 25,
    last: 60,
    isUnderWay: false,
    shareBeyond: 3 / 7,
  })
})

test('a threshold that is reached and not left for the average is under way, and has no median', () => {
  expect(touchesOf(series([1, 1, 1, 1, 5]), 'high', 5)).toMatchObject({
    count: 1,
    cameBack: 0,
    medianBack: null,
    last: 40,
    isUnderWay: true,
  })
})

test('a ratio that is beyond the threshold from its first point on reaches it once it has been on the near side', () => {
  expect(touchesOf(series([5, 1, 1, 5, 1, 1]), 'high', 5)).toMatchObject({ count: 1, cameBack: 1, last: 30 })
  expect(touchesOf(series([5, 4, 5, 1]), 'high', 5)).toMatchObject({ count: 1, cameBack: 1, last: 20 })
  expect(touchesOf(series([5, 5]), 'high', 5)).toMatchObject({ count: 0, last: null, isUnderWay: false })
})

test('the share beyond a threshold is of the time, not of the points', () => {
  expect(touchesOf(series([1, 5, 1, 1], [0, 10, 90, 100]), 'high', 5).shareBeyond).toBeCloseTo(0.8, 12)
})

test('an empty series has reached no threshold', () => {
  expect(touchesOf(series([]), 'low', 1)).toMatchObject({ count: 0, medianBack: null, last: null, shareBeyond: 0 })
})

const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9 })), { maxLength: 80 })
const swings = points.map((list) => {
  let time = 0
  const times = list.map(([wait]) => (time += wait))
  return series(
    list.map(([, ratio]) => ratio),
    times,
  )
})

test('touches agree with a search for each touch’s end, for any ratios, spacing, side and threshold', () => {
  fc.assert(
    fc.property(swings, fc.constantFrom('high', 'low'), fc.integer({ min: 0, max: 10 }), (ratios, side, at) => {
      expect(touchesOf(ratios, side, at)).toEqual(slowTouches(ratios, side, at))
    }),
  )
})

test('the low threshold of a series is the high threshold of its mirror image', () => {
  fc.assert(
    fc.property(swings, fc.integer({ min: 0, max: 10 }), ({ times, ratios }, at) => {
      const powers = { times, ratios: ratios.map((ratio) => 2 ** ratio) }
      const mirrored = { times, ratios: powers.ratios.map((ratio) => 1 / ratio) }
      expect(touchesOf(mirrored, 'low', 1 / 2 ** at)).toEqual(touchesOf(powers, 'high', 2 ** at))
    }),
  )
})
