import { DEFAULT_SWAP_COST } from './swap-cost'

/*
 * Deviations mislead at a peg: they are so small there that a distance of less than a swap costs counts as several of them.
 */

/** Log units. The smallest deviation in 90 days of the real pairs that are not pegged is 0.0226. */
export const PEG_WIDTH = 0.01

/** @param deviation sample deviation of ln(A / B) in a window; NaN: not known */
export const isPegged = (deviation: number): boolean => deviation < PEG_WIDTH

/** True: so far from the average of 90 days a peg has been lost. @param distance a fraction of the average; NaN: not known */
export const hasLostPeg = (distance: number): boolean => Math.abs(Math.log1p(distance)) >= PEG_WIDTH

/** True: a swap away from this distance and one back at the average cost more than it brings. @param distance as above */
export const isWithinCost = (distance: number): boolean =>
  Math.abs(Math.log1p(distance)) < -2 * Math.log1p(-DEFAULT_SWAP_COST)
