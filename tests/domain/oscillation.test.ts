import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimatePeriod } from '../../src/domain/oscillation'
import { takingTurns, withoutSmallSwings } from '../../src/domain/swings'
import { PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { naiveExtremes, naiveLeast, naiveLevel, naiveMerge } from './support/naive-oscillation'
import { randomOf } from '../../src/domain/random'
import { normalOf } from './support/random'
import { DRIFTS, sineError } from './support/sines'

const minutes = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i * 60_000)
const SHARE = 40

test.each(PERIODS)(
  `%s: the estimated period of sines is within 5 %, of noisy sines within 15 % (${SHARE} seeds)`,
  (period) => {
    const seeds = Array.from({ length: SHARE }, (_, seed) => seed)
    expect(Math.max(...seeds.map((seed) => sineError(period, seed, { noise: 0 })))).toBeLessThan(0.05)
    expect(seeds.filter((seed) => !(sineError(period, seed, { noise: 0.1 }) < 0.15)).length).toBeLessThanOrEqual(1)
  },
)

test.each(Object.entries(DRIFTS))('a swing of 5 % on a drift %s has its period estimated within 10 %', (_, level) => {
  for (const period of PERIODS) {
    const errors = Array.from({ length: SHARE }, (_seed, seed) =>
      sineError(period, seed, { noise: 0, amplitude: 0.025, level }),
    )
    expect(Math.max(...errors), period).toBeLessThan(0.1)
  }
})

test.each(PERIODS)('%s: a straight line and a flat line have no estimated period', (period) => {
  const rules = PERIOD_RULES[period]
  for (const slope of [0.01, -0.001, 0]) {
    const line = Float64Array.from({ length: 365 }, (_, i) => 10 + slope * i)
    expect(estimatePeriod(minutes(365), line, rules)).toBeNull()
  }
  expect(estimatePeriod(minutes(0), new Float64Array(0), rules)).toBeNull()
})

test('the estimated period ignores swings below the minimum swing', () => {
  const wave = (share: number) => minutes(400).map((_, i) => 1 + share * Math.sin(i / 5))
  const rules = { lookWindow: 12, minimumSwing: 2 }
  expect(estimatePeriod(minutes(400), wave(0.0099), rules)).toBeNull()
  expect(estimatePeriod(minutes(400), wave(0.0102), rules)).not.toBeNull()
})

test('on a clean series the minimum swing alone decides, however small the swings are beside its range', () => {
  const slow = minutes(400).map((_, i) => 1 + 0.3 * Math.sin(i / 100) + 0.02 * Math.sin(i / 5))
  const found = estimatePeriod(minutes(400), slow, { lookWindow: 12, minimumSwing: 2 })! / 60_000
  expect(Math.abs(found / (10 * Math.PI) - 1)).toBeLessThan(0.1)
  // With the small ones out of the way, the slow wave is what swings.
  expect(estimatePeriod(minutes(400), slow, { lookWindow: 12, minimumSwing: 6 })! / 60_000).toBeGreaterThan(200)
})

test('on a noisy series swings within the noise do not count, though they pass the minimum swing', () => {
  const normal = normalOf(randomOf(7))
  const noisy = minutes(400).map((_, i) => 1 + 0.3 * (Math.sin(i / 10) + 0.1 * normal()))
  const found = estimatePeriod(minutes(400), noisy, { lookWindow: 3, minimumSwing: 1 })! / 60_000
  expect(Math.abs(found / (20 * Math.PI) - 1)).toBeLessThan(0.15)
})

test('the estimated period ignores a peak whose look window reaches beyond the series', () => {
  // A zigzag with turns at 5, 10, 15 and 30; three points are looked at on either side.
  const turns = [
    [0, 2],
    [5, 1],
    [10, 2],
    [15, 1],
    [30, 2],
    [40, 1],
  ] as const
  const zigzag = Float64Array.from({ length: 41 }, (_, i) => {
    const next = turns.findIndex(([at]) => at >= i)
    const [[from, low], [to, high]] = [turns[Math.max(0, next - 1)]!, turns[next]!]
    return to === from ? high : low + ((high - low) * (i - from)) / (to - from)
  })
  const rules = { lookWindow: 3, minimumSwing: 2 }
  const minutesOf = (length: number) => estimatePeriod(minutes(length), zigzag.slice(0, length), rules)! / 60_000
  expect(minutesOf(34)).toBe((10 + 20) / 2)
  expect(minutesOf(33)).toBe(10)
})

test('the estimated period agrees with the definition carried out literally', () => {
  // Few different ones give plateaus, and extremes that are equal.
  const ratios = fc.oneof(
    fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { maxLength: 120 }),
    fc.array(fc.constantFrom(0.5, 1, 1.5, 2), { maxLength: 120 }),
  )
  fc.assert(
    fc.property(ratios, fc.integer({ min: 1, max: 9 }), (list, lookWindow) => {
      const values = Float64Array.from(list)
      const look = Math.max(3, Math.min(lookWindow, Math.floor(list.length / 20)))
      const kept = naiveMerge(takingTurns(naiveExtremes(naiveLevel(list), look)), naiveLeast(naiveLevel(list), 2))
      const gaps = kept.slice(2).map((extreme, i) => (extreme.index - kept[i]!.index) * 60_000)
      gaps.sort((one, other) => one - other)
      const middle = [gaps[(gaps.length - 1) >> 1], gaps[gaps.length >> 1]]
      const expected = gaps.length === 0 ? null : (middle[0]! + middle[1]!) / 2
      expect(estimatePeriod(minutes(list.length), values, { lookWindow, minimumSwing: 2 })).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('the estimated period takes the first of equal values as the peak', () => {
  const plateau = [1, 1.1, 1.2, 2, 2, 1.2, 1.1, 1.05, 1, 1, 1.1, 1.2, 1.3, 2, 2, 1.5, 1.4, 1.3]
  const at = estimatePeriod(minutes(plateau.length), Float64Array.from(plateau), { lookWindow: 3, minimumSwing: 1 })
  expect(at).toBe(10 * 60_000)
})

const kinds = ['peak', 'trough'] as const
// Some peaks lie below the trough beside them. No two values are equal: which of two equal swings goes first is open.
const turns = fc
  .uniqueArray(fc.double({ min: -20, max: 100, noNaN: true }), { maxLength: 40 })
  .map((sizes) => {
    let value = 0
    return sizes.map((size, index) => {
      value += index % 2 === 0 ? size : -size
      return { index, value, kind: kinds[index % 2]! }
    })
  })
  .filter((path) => new Set(path.map(({ value }) => value)).size === path.length)

test('withoutSmallSwings gives what merging the smallest swing again and again gives', () => {
  fc.assert(
    fc.property(turns, fc.double({ min: 0, max: 120, noNaN: true }), (path, least) => {
      const merged = naiveMerge(path, least)
      expect(withoutSmallSwings(path, least)).toEqual(
        merged.length >= 2 ? merged : expect.toSatisfy((left: unknown[]) => left.length < 2),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('takingTurns alternates peaks and troughs and keeps the most extreme of each run', () => {
  const run = [3, 5, 5, 4].map((value, index) => ({ index, value, kind: 'peak' as const }))
  const low = [2, 1, 1].map((value, index) => ({ index: 4 + index, value, kind: 'trough' as const }))
  expect(takingTurns([...run, ...low]).map(({ index }) => index)).toEqual([1, 5])
})
