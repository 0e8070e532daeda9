import { bandsAround } from '../../../../src/domain/bands'
import type { Computation } from '../computation'

const NONE = new Float64Array(0)

export const ours: Computation = {
  name: 'ours',
  divisor: 'n - 1',
  compute(ratios, points) {
    const { ema, upper, lower } = bandsAround(NONE, ratios, points)
    // The bands lie two deviations on either side.
    const deviations = upper.map((value, i) => (value - (lower[i] ?? NaN)) / 4)
    return { deviations, average: ema[ema.length - 1] ?? NaN }
  },
}
