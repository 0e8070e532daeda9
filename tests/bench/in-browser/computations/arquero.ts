import { op, rolling, table } from 'arquero'
import type { Computation } from '../computation'

/** It has rolling means and deviations, but no exponential average, which its run leaves out. */
export const arquero: Computation = {
  name: 'arquero',
  divisor: 'n - 1',
  compute(ratios, points) {
    const frame: [number, number] = [1 - points, 0]
    const derived = table({ ratio: ratios }).derive({
      average: rolling((row: { ratio: number }) => op.average(row.ratio), frame),
      deviation: rolling((row: { ratio: number }) => op.stdev(row.ratio), frame),
    })
    const deviations = derived.array('deviation') as ArrayLike<number>
    return { deviations: Array.prototype.slice.call(deviations, points - 1) as number[], average: null }
  },
}
