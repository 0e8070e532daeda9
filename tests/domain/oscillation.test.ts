import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimatePeriod } from '../../src/domain/oscillation'
import { PERIOD_RULES, PERIODS } from '../../src/domain/period'
import { takingTurns, withoutSmallSwings } from '../../src/domain/swings'
import { naiveExtremes, naiveMerge } from './support/naive-oscillation'
import { sineError } from './support/sines'

const minutes = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => i * 60_000)
const SHARE = 40

describe('estimated period', () => {
  test.each(PERIODS)(
    `%s: the estimated period of sines is within 5 %, of noisy sines within 15 % (${SHARE} seeds)`,
    (period) => {
      const seeds = Array.from({ length: SHARE }, (_, seed) => seed)
      expect(Math.max(...seeds.map((seed) => sineError(period, seed, 0)))).toBeLessThan(0.05)
      expect(seeds.filter((seed) => !(sineError(period, seed, 0.1) < 0.15)).length).toBeLessThanOrEqual(1)
    },
  )

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

  test('the estimated period ignores swings below a quarter of the range', () => {
    const step = (height: number) => minutes(400).map((_, i) => 1 + 0.1 * height * Math.sin(i / 5) + (i < 200 ? 0 : 1))
    const rules = { lookWindow: 12, minimumSwing: 1 }
    // Waves of 2 h on top of one step of 1: a range of 1 + 2 h.
    expect(estimatePeriod(minutes(400), step(1.6), rules)).toBeNull()
    expect(estimatePeriod(minutes(400), step(1.8), rules)).not.toBeNull()
  })

  test('the estimated period ignores a peak whose look window reaches beyond the series', () => {
    // A zigzag with turns at 5, 10, 15 and 30; three points are looked at on either side.
    const turns = [[0, 2], [5, 1], [10, 2], [15, 1], [30, 2], [40, 1]] as const // prettier-ignore
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
        const mean = list.reduce((sum, value) => sum + value, 0) / list.length
        const least = Math.max((mean * 2) / 100, (Math.max(...list) - Math.min(...list)) * 0.25)
        const kept = naiveMerge(takingTurns(naiveExtremes(list, look)), least)
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
})

describe('merging of swings', () => {
  const kinds = ['peak', 'trough'] as const
  const turns = fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { maxLength: 40 }).map((sizes) => {
    let value = 0
    return sizes.map((size, index) => {
      value += index % 2 === 0 ? size : -size
      return { index, value, kind: kinds[index % 2]! }
    })
  })

  test('withoutSmallSwings gives what merging the smallest swing again and again gives', () => {
    fc.assert(
      fc.property(turns, fc.double({ min: 0, max: 120, noNaN: true }), (path, least) => {
        const merged = naiveMerge(path, least)
        expect(withoutSmallSwings(path, least)).toEqual(merged.length >= 2 ? merged : expect.toSatisfy((left: unknown[]) => left.length < 2)) // prettier-ignore
      }),
      { numRuns: 1_000 },
    )
  })

  test('takingTurns alternates peaks and troughs and keeps the most extreme of each run', () => {
    const run = [3, 5, 5, 4].map((value, index) => ({ index, value, kind: 'peak' as const }))
    const low = [2, 1, 1].map((value, index) => ({ index: 4 + index, value, kind: 'trough' as const }))
    expect(takingTurns([...run, ...low]).map(({ index }) => index)).toEqual([1, 5])
  })
})
