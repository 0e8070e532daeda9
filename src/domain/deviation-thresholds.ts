import { bySide, isBeyond, type Sides, SIDES } from './alerts'
import type { WindowStatistics } from './pair-statistics'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'

/** Sample deviations from the average at which thresholds are suggested. */
export const THRESHOLD_DEVIATIONS = 2
/** Digits of a threshold: more would claim a precision that an average does not have. */
const DIGITS = 4

/** A threshold, and false where the ratio is beyond it already: it would fire at once. */
interface DeviationThreshold {
  readonly threshold: number
  readonly armed: boolean
}

/**
 * True if a swap at two deviations and back at the average cannot pay: it multiplies the coins by e^(2s)·(1 − c)², which is at most
 * one where s ≤ −ln(1 − c).
 * @param deviation s, of ln(A / B)
 * @param cost c, share of the amount that each swap costs
 */
export const cannotPay = (deviation: number, cost: number): boolean => deviation <= -Math.log(1 - cost)

/** Thresholds two deviations above and below the average of a window; null: the window has none, or they are the same. */
export function deviationThresholds(
  { mean, deviation }: Pick<WindowStatistics, 'mean' | 'deviation'>,
  ratio: number,
): Sides<DeviationThreshold> | null {
  if (mean === null || deviation === null) return null
  const thresholds = bySide((side): DeviationThreshold => {
    const exact = Math.exp(mean + SIDES[side].sign * THRESHOLD_DEVIATIONS * deviation)
    const threshold = Number(exact.toPrecision(DIGITS))
    return { threshold, armed: !isBeyond(side, ratio, threshold) }
  })
  const { high, low } = thresholds
  const isStorable = low.threshold >= LEAST_POSITIVE && high.threshold <= LARGEST_POSITIVE
  return isStorable && low.threshold < high.threshold ? thresholds : null
}
