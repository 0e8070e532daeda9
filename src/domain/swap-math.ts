import type { RangeEnd } from './extreme'

/** Outcome of swapping an amount there and back. */
export interface SwapMath {
  /** Of the other coin, after the swap. */
  readonly there: number
  /** Of the first coin, after a swap back at the same ratio: what both swaps cost is gone. */
  readonly backAtOnce: number
  /** Of the first coin, after a swap back at another ratio; null: that is not known. */
  readonly backAt: number | null
}

/**
 * @param end `high`: A is swapped for B, `low`: B for A
 * @param amount of the coin that is swapped
 * @param ratio A / B, of the swap there
 * @param other A / B, of the swap back; null: not known
 * @param cost share of the amount that each swap costs, 0 to 1
 */
export function swapMath(end: RangeEnd, amount: number, ratio: number, other: number | null, cost: number): SwapMath {
  const rate = end === 'high' ? ratio : 1 / ratio
  const there = amount * rate * (1 - cost)
  const back = (at: number): number => (there / (end === 'high' ? at : 1 / at)) * (1 - cost)
  return { there, backAtOnce: back(ratio), backAt: other === null ? null : back(other) }
}
