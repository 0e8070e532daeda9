import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Excursions, excursionsOf } from '../../src/domain/excursions'

/** Reference by brute force: every day is judged by itself, then each excursion's end is searched forward. */
function slowExcursions(ratios: readonly number[], window: number, side: 'high' | 'low'): Excursions | null {
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
  const ended: { length: number; move: number }[] = []
  let isUnderWay = false
  for (let from = 0; from < days.length && !isUnderWay;) {
    const begin = days.findIndex((day, index) => index >= from && day?.isBeyond === true)
    if (begin === -1) break
    const end = days.findIndex((day, index) => index > begin && day?.isBack === true)
    isUnderWay = end === -1
    if (isUnderWay) break
    const inside = ratios
      .slice(begin, end)
      .filter((value, index) => !Number.isNaN(value) && days[begin + index] !== null)
    const furthest = side === 'high' ? Math.max(...inside) : Math.min(...inside)
    ended.push({ length: end - begin, move: Math.abs(furthest / ratios[begin]! - 1) })
    from = end + 1
  }
  const lengths = ended.map(({ length }) => length).toSorted((one, other) => one - other)
  const middle = (lengths.length - 1) / 2
  return {
    count: ended.length,
    cameBack: lengths.filter((length) => length <= 30).length,
    medianDays: lengths.length === 0 ? null : (lengths[Math.floor(middle)]! + lengths[Math.ceil(middle)]!) / 2,
    worstMove: ended.length === 0 ? null : Math.max(...ended.map(({ move }) => move)),
    isUnderWay,
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
  { minLength: 1, maxLength: 300, size: 'max' },
)

test('one excursion that went on by a tenth and came back after three days is told with both', () => {
  const quiet = Array.from({ length: 30 }, (_, day) => 1 + 0.01 * (day % 2))
  expect(of([...quiet, 1.2, 1.32, 1.1, 1, 1], 30, 'high')).toEqual({
    count: 1,
    cameBack: 1,
    medianDays: 3,
    worstMove: expect.closeTo(0.1, 9),
    isUnderWay: false,
  })
  expect(of([...quiet, 1.2, 1.32], 30, 'high')).toMatchObject({ count: 0, medianDays: null, isUnderWay: true })
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
