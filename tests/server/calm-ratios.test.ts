import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bounded, calmRatiosOf } from '../../server/services/alerts/calm-ratios'
import { MEASURES, type PairSight, readMeasure } from '../../src/domain/rule-measures'

const bound = fc.oneof(fc.constant(Infinity), fc.double({ min: -6, max: 40, noNaN: true }))
const bounded: fc.Arbitrary<Bounded> = fc
  .record({ name: fc.constantFrom(...MEASURES.keys()), above: bound, below: bound })
  .map(({ name, above, below }) => ({ name, above, below: -below }))
const ratio = fc.double({ min: 0.2, max: 5, noNaN: true })
const sightOf =
  (extent: readonly [number, number], deviation: number, mean: number) =>
  (at: number): PairSight => ({
    ratio: at,
    extent: () => ({ lowest: Math.min(...extent), highest: Math.max(...extent) }),
    days: () => ({ sorted: Float64Array.of(0.7), mean, deviation }),
  })

test('ratios are calm only where no measure is beyond its bounds, and reach up to where one is', () => {
  let [calm, wide] = [0, 0]
  fc.assert(
    fc.property(
      fc.array(bounded, { minLength: 1, maxLength: 4 }),
      fc.tuple(ratio, ratio),
      fc.constantFrom(0, 0.01, 0.3),
      fc.double({ min: -0.5, max: 0.5, noNaN: true }),
      fc.array(ratio, { minLength: 2, maxLength: 20 }),
      (measures, extent, deviation, mean, [now = 1, ...others]) => {
        const sight = sightOf(extent, deviation, mean)
        const isCalm = (at: number): boolean =>
          measures.every(({ name, above, below }) => {
            const value = readMeasure(MEASURES.get(name)!, sight(at))
            return value === null || !(value > above || value <= below)
          })
        const [low, high] = calmRatiosOf(measures, sight(now))
        const within = (at: number): boolean => low < at && at < high
        // A move may have gone far enough both ways.
        const isMove = measures.some(({ name }) => name.startsWith('move'))
        // Closer to where a measure is at its bound, the pair is looked at.
        const isAround = !isMove && [1 - 1e-8, 1, 1 + 1e-8].every((share) => isCalm(now * share))
        if (isAround) expect(low < now && now < high).toBe(true)
        if (!within(now)) return
        calm++
        const edges = [low * (1 + 1e-12), high * (1 - 1e-12)].filter((at) => at > 0 && at < Infinity)
        for (const at of [...others, ...edges].filter(within)) expect([at, isCalm(at)]).toEqual([at, true])
        const ends = isMove ? [] : [low * (1 - 1e-7), high * (1 + 1e-7)]
        for (const at of ends) {
          if (!(at > 1e-6 && at < 1e6)) continue
          wide++
          expect([at, isCalm(at)]).toEqual([at, false])
        }
      },
    ),
    { numRuns: 3000 },
  )
  expect(Math.min(calm, wide)).toBeGreaterThan(100)
})
