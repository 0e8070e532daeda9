import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Excursions, excursionsOf, WANDERER_SHARE } from '../../src/domain/excursions'
import { STATISTIC_WINDOWS } from '../../src/domain/pair-statistics'
import { realPricesFolder, realSeries, warnWithoutRealPrices } from './support/real-prices'
import { wanderers } from './support/wanderers'

warnWithoutRealPrices()

/** Reference by brute force: every day is judged by itself, then each excursion's end is searched forward. */
function slowExcursions(ratios: readonly number[], window: 30 | 90, side: 'high' | 'low'): Excursions | null {
  const days = ratios.map((ratio, day) => {
    const before = ratios
      .slice(Math.max(0, day - window), day)
      .filter((value) => !Number.isNaN(value))
      .map((value) => (side === 'high' ? Math.log(value) : -Math.log(value)))
    if (before.length < 20 || Number.isNaN(ratio)) return null
    const mean = before.reduce((sum, value) => sum + value, 0) / before.length
    const deviation = Math.sqrt(before.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (before.length - 1))
    const x = side === 'high' ? Math.log(ratio) : -Math.log(ratio)
    return { isBeyond: deviation > 0 && x - mean > 2 * deviation, isBack: x <= mean }
  })
  if (days.every((day) => day === null)) return null
  const all: { begin: number; length: number; move: number }[] = []
  for (let from = 0; from < days.length;) {
    const begin = days.findIndex((day, index) => index >= from && day?.isBeyond === true)
    if (begin === -1) break
    const back = days.findIndex((day, index) => index > begin && day?.isBack === true)
    const end = back === -1 ? days.length : back
    const inside = ratios
      .slice(begin, end)
      .filter((value, index) => !Number.isNaN(value) && days[begin + index] !== null)
    const furthest = side === 'high' ? Math.max(...inside) : Math.min(...inside)
    all.push({ begin, length: back === -1 ? Infinity : end - begin, move: Math.abs(furthest / ratios[begin]! - 1) })
    from = end + 1
  }
  const old = all.filter(({ begin }) => begin <= days.length - 31)
  const lengths = old.map(({ length }) => length).toSorted((one, other) => one - other)
  const middle = (lengths.length - 1) / 2
  const median = lengths.length === 0 ? Infinity : (lengths[Math.floor(middle)]! + lengths[Math.ceil(middle)]!) / 2
  return {
    count: old.length,
    cameBack: lengths.filter((length) => length <= 30).length,
    younger: all.length - old.length,
    chance: ratios.filter((ratio) => !Number.isNaN(ratio)).length < 300 ? null : WANDERER_SHARE[window],
    medianDays: median === Infinity ? null : median,
    worstMove: old.length === 0 ? null : Math.max(...old.map(({ move }) => move)),
    isUnderWay: all.at(-1)?.length === Infinity,
  }
}

const ONES = (ratios: readonly number[]): number[] => ratios.map(() => 1)

const of = (ratios: readonly number[], window: 30 | 90, side: 'high' | 'low') => {
  const days = ratios.slice(0, -1)
  return excursionsOf({ a: days, b: ONES(days) }, { a: ratios.at(-1)!, b: 1 }, window, side)
}

/** Days between 0.9 and 1.1, with spikes and days that are not known. */
const courses = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 90, max: 110 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 150 }) },
    { weight: 1, arbitrary: fc.constant(NaN) },
  ),
  { minLength: 1, maxLength: 400, size: 'max' },
)

/** A quiet month, then a high that went on by a tenth and came back after three days. */
const QUIET = Array.from({ length: 30 }, (_, day) => 1 + 0.01 * (day % 2))
const HIGH = [...QUIET, 1.2, 1.32, 1.1, 1]

test('an excursion counts from its 30th day on, with what it did; until then it is called younger', () => {
  expect(of([...HIGH, ...Array<number>(26).fill(1)], 90, 'high')).toEqual({
    count: 0,
    cameBack: 0,
    younger: 1,
    chance: null,
    medianDays: null,
    worstMove: null,
    isUnderWay: false,
  })
  expect(of([...HIGH, ...Array<number>(27).fill(1)], 90, 'high')).toMatchObject({
    count: 1,
    cameBack: 1,
    younger: 0,
    medianDays: 3,
    worstMove: expect.closeTo(0.1, 9),
  })
})

test('an excursion that has been under way for over 30 days counts as one that did not come back', () => {
  const x = Array.from({ length: 365 }, (_, d) =>
    d < 300
      ? 10 * (1 + 0.01 * Math.sin((2 * Math.PI * d) / 7))
      : 10 * 1.2 ** Math.min(3, d - 299) * (1 + 0.001 * Math.max(0, d - 302)),
  )
  expect(of(x, 90, 'high')).toEqual({
    count: 1,
    cameBack: 0,
    younger: 0,
    chance: 0.442,
    medianDays: null,
    worstMove: expect.closeTo(1.2 ** 2 * 1.062 - 1, 9),
    isUnderWay: true,
  })
})

test('a wandering ratio is compared from 300 known days on', () => {
  const chance = (known: number) =>
    of([...Array<number>(65).fill(NaN), ...Array<number>(known).fill(1)], 90, 'high')?.chance
  expect([chance(299), chance(300)]).toEqual([null, 0.442])
})

test('excursions are null as long as no day has twenty days before it', () => {
  expect(of(Array<number>(20).fill(1), 30, 'high')).toBeNull()
  expect(of(Array<number>(21).fill(1), 30, 'high')).toMatchObject({ count: 0, isUnderWay: false })
})

test('excursions agree with a search that judges every day by itself, for any course, window and side', () => {
  fc.assert(
    fc.property(courses, fc.constantFrom(30, 90), fc.constantFrom('high', 'low'), (course, window, side) => {
      const found = of(course, window, side)
      const slow = slowExcursions(course, window, side)
      expect(found && { ...found, worstMove: null }).toEqual(slow && { ...slow, worstMove: null })
      expect(found?.worstMove ?? 0).toBeCloseTo(slow?.worstMove ?? 0, 9)
    }),
  )
})

test('the highs of a pair are the lows of the pair turned round', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const days = course.slice(0, -1)
      const turned = excursionsOf({ a: ONES(days), b: days }, { a: 1, b: course.at(-1)! }, 30, 'low')
      const highs = of(course, 30, 'high')
      expect(turned && { ...turned, worstMove: null }).toEqual(highs && { ...highs, worstMove: null })
    }),
  )
})

/** Two standard errors of these walks, whose excursions come two a walk and side by side. */
const OF_300_WALKS = 0.05

test.each(STATISTIC_WINDOWS)(
  'of random walks the known share comes back, in the window of %i days',
  { tags: ['full'] },
  (window) => {
    const { count, back } = wanderers(300, window)
    expect(Math.abs(back / count - WANDERER_SHARE[window])).toBeLessThan(OF_300_WALKS)
  },
)

test.skipIf(realPricesFolder === undefined)(
  'ETH / BTC on real prices: no high of the year was back within 30 days and one of two lows was',
  () => {
    const [a, b] = ['ethereum', 'bitcoin'].map((coin) => realSeries(coin, '1d').prices.slice(-365))
    const sides = (['high', 'low'] as const).map((side) =>
      excursionsOf({ a: a!.slice(0, -1), b: b!.slice(0, -1) }, { a: a!.at(-1)!, b: b!.at(-1)! }, 90, side),
    )
    const both = { younger: 0, chance: 0.442, isUnderWay: false }
    expect(sides).toEqual([
      { ...both, count: 1, cameBack: 0, medianDays: 86, worstMove: expect.closeTo(0.4822, 4) },
      { ...both, count: 2, cameBack: 1, medianDays: 60.5, worstMove: expect.closeTo(0.4295, 4) },
    ])
  },
)
