import { describe, expect, test } from 'vitest'
import { bandsAround } from '../../src/domain/bands'
import { deviationOf } from '../domain/support/deviation-of'
import { exactAverage, exactDeviation, seedOf, worstError } from '../domain/support/exact-bands'
import { RATIO_KINDS } from '../domain/support/ratio-kinds'
import { raceBands } from '../domain/support/bands-race'

const POINTS = 105_120
const WINDOW = 288
const NONE = new Float64Array(0)

describe(`bands of ${POINTS} points, window ${WINDOW}`, () => {
  test.each(Object.entries(RATIO_KINDS))(
    '%s: deviation, moving average and bands have a relative error below 1e-9',
    (kind, make) => {
      const values = make(POINTS, 1)
      const deviation = exactDeviation(values, WINDOW)
      const deviationError = worstError(deviationOf(values, WINDOW), deviation)
      const { ema, upper, lower } = bandsAround(NONE, values, WINDOW)
      const average = exactAverage(values, WINDOW, seedOf(NONE, values, WINDOW))
      // The lower band may cross zero, so that both bands are measured by what they are made of.
      const scale = average.map((value, i) => value + 2 * (deviation[i] || 0))
      const averageError = worstError(ema, average)
      const known = (column: Float64Array) => column.subarray(1)
      const bandError = Math.max(
        worstError(known(upper), known(scale)),
        worstError(known(lower), known(average.map((value, i) => value - 2 * deviation[i]!)), known(scale)),
      )
      const figures = { deviationError, averageError, bandError }
      console.log(kind, figures)
      for (const error of Object.values(figures)) expect(error).toBeLessThan(1e-9)
    },
  )

  test('band calculation is more than 100 times as fast as trading-signals in the same run', () => {
    const race = raceBands({ points: POINTS, window: WINDOW, rounds: 9 })
    console.log(
      `ours ${race.ours.toFixed(1)} ns a point, trading-signals ${race.theirs.toFixed(0)}: ${race.times.toFixed(0)} times faster`,
    )
    expect(race.times).toBeGreaterThan(100)
  })
})
