import { MATRIX_DAYS } from '../../../src/domain/daily-matrix'
import { excursionsOf } from '../../../src/domain/excursions'
import type { StatisticWindow } from '../../../src/domain/pair-statistics'
import { randomOf } from '../../../src/domain/random'
import { normalOf } from './random'

/** Excursions of `walks` Gaussian random walks of a year to both sides: those begun 30 days ago, and of them those back. */
export function wanderers(walks: number, window: StatisticWindow): { readonly count: number; readonly back: number } {
  const normal = normalOf(randomOf(32))
  const ones = Array<number>(MATRIX_DAYS).fill(1)
  let [count, back] = [0, 0]
  for (let walk = 0; walk < walks; walk++) {
    let x = 0
    const days = ones.map(() => Math.exp((x += 0.03 * normal())))
    const current = { a: Math.exp(x + 0.03 * normal()), b: 1 }
    for (const side of ['high', 'low'] as const) {
      const found = excursionsOf({ a: days, b: ones }, current, window, side)!
      count += found.count
      back += found.cameBack
    }
  }
  return { count, back }
}
