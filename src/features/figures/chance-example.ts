import { chanceOf } from '../../domain/chance-of-extremes'

/* The drawn example of Radar's line: made-up counts of pairs beyond 2σ, one for each shuffled order of the days. */

const ORDERS = 199
const PAIRS = 21
/** Ascending; a few orders have many, since pairs that share a coin go beyond together. */
const counts = Array.from({ length: ORDERS }, (_, order) => {
  const share = (order + 0.5) / ORDERS
  return Math.round(3.2 * (share / (1 - share)) ** 0.26)
})

export const CHANCE = {
  pairs: PAIRS,
  orders: ORDERS,
  /** How many orders have 0, 1, 2, … pairs beyond. */
  frequency: Array.from({ length: counts.at(-1)! + 2 }, (_, count) => counts.filter((one) => one === count).length),
  ...chanceOf(counts),
  /** In the true order of the days. */
  today: 5,
} as const
