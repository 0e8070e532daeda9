import { expect, it } from 'vitest'
import { breakEven } from '../../src/domain/backtest'
import { swapMath } from '../../src/domain/swap-math'

it('a swap there and back at one ratio loses the cost of both, and at the break-even nothing', () => {
  for (const side of ['high', 'low'] as const) {
    const { there, backAtOnce, backAt } = swapMath(side, 2, 25, breakEven(side, 25, 0.003), 0.003)
    expect(there).toBeCloseTo((side === 'high' ? 50 : 0.08) * 0.997, 12)
    expect(backAtOnce).toBeCloseTo(2 * 0.997 ** 2, 12)
    expect(backAt).toBeCloseTo(2, 12)
  }
})

it('a swap of A at a high and back at the average leaves more of it, in the proportion of both ratios less the costs', () => {
  expect(swapMath('high', 1, 40, 32, 0).backAt).toBeCloseTo(40 / 32, 12)
  expect(swapMath('low', 1, 32, 40, 0).backAt).toBeCloseTo(40 / 32, 12)
  expect(swapMath('low', 1, 32, null, 0).backAt).toBeNull()
})
