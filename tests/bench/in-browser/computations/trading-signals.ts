import { BollingerBands, EMA } from 'trading-signals'
import type { Computation } from '../computation'

export const tradingSignals: Computation = {
  name: 'trading-signals',
  divisor: 'n',
  compute(ratios, points) {
    const average = new EMA(points)
    const bands = new BollingerBands(points, 2)
    const deviations: number[] = []
    for (const ratio of ratios) {
      average.update(ratio, false)
      const band = bands.update(ratio, false)
      if (band !== null) deviations.push((band.upper - band.lower) / 4)
    }
    return { deviations, average: average.getResultOrThrow() }
  },
}
