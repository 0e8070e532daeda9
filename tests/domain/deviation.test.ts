import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deviationOf } from './support/deviation-of'
import { exactDeviation, worstError } from './support/exact-bands'
import { RATIO_KINDS } from './support/ratio-kinds'

describe('running deviation', () => {
  for (const [kind, make] of Object.entries(RATIO_KINDS)) {
    test.each([5, 36, 288, 1_000])(
      `${kind}, window %i: the relative error of the running deviation is below 1e-9`,
      (window) => {
        const values = make(3_000, window)
        expect(worstError(deviationOf(values, window), exactDeviation(values, window))).toBeLessThan(1e-9)
      },
    )
  }

  test('the running deviation of a flat window is exactly 0, also after a bad tick', () => {
    const values = new Float64Array(200).fill(0.1)
    values[50] = 1_000
    const deviation = deviationOf(values, 20)
    expect(deviation[0]).toBeNaN()
    expect([...deviation.subarray(1, 50)]).toEqual(Array.from({ length: 49 }, () => 0))
    expect([...deviation.subarray(70)]).toEqual(Array.from({ length: 130 }, () => 0))
    for (const value of deviation.subarray(50, 70)) expect(value).toBeGreaterThan(1)
  })

  test('the running deviation agrees with the exact deviation for any values, windows and starts', () => {
    // Neighbouring doubles beside a huge average would ask for more digits than the bands around it have.
    const value = fc
      .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: -3, max: 3 }))
      .map(([digits, power]) => digits * 10 ** power)
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        fc.integer({ min: 2, max: 20 }),
        fc.nat(70),
        (list, window, cut) => {
          const values = Float64Array.from(list)
          const from = Math.min(cut, values.length)
          const found = deviationOf(values, window, from)
          expect(worstError(found, exactDeviation(values, window).slice(from))).toBeLessThan(1e-9)
        },
      ),
    )
  })

  test('the running deviation does not change when everything before its window does', () => {
    const values = RATIO_KINDS['prices of 1e5']!(500, 1)
    const spoiled = values.map((value, i) => (i < 100 ? value * 1e6 : value))
    const window = 50
    const plain = deviationOf(values, window).subarray(100 + window)
    expect(worstError(deviationOf(spoiled, window).subarray(100 + window), plain)).toBeLessThan(1e-12)
  })
})
