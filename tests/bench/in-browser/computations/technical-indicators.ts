import { BollingerBands, EMA } from 'technicalindicators'
import type { Computation } from '../computation'

export const technicalIndicators: Computation = {
  name: 'technicalindicators',
  divisor: 'n',
  compute(ratios, points) {
    const values = Array.from(ratios)
    const averages = EMA.calculate({ period: points, values })
    const bands = BollingerBands.calculate({ period: points, stdDev: 2, values })
    return {
      deviations: bands.map(({ upper, lower }) => (upper - lower) / 4),
      average: averages.at(-1) ?? NaN,
    }
  },
}
