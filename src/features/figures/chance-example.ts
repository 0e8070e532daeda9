/* The drawn example of Radar's line: made-up counts of pairs beyond 2σ, one for each shuffled order of the days. */

const ORDERS = 199
const PAIRS = 21
/** Ascending; a few orders have many, since pairs that share a coin go beyond together. */
const counts = Array.from({ length: ORDERS }, (_, order) => {
  const share = (order + 0.5) / ORDERS
  return Math.round(3.2 * (share / (1 - share)) ** 0.26)
})

/** The count that this share of the orders stays below. */
const at = (share: number): number => counts[Math.round(share * (ORDERS + 1)) - 1]!

export const CHANCE = {
  pairs: PAIRS,
  orders: ORDERS,
  /** How many orders have 0, 1, 2, … pairs beyond. */
  frequency: Array.from({ length: counts.at(-1)! + 2 }, (_, count) => counts.filter((one) => one === count).length),
  low: at(0.05),
  median: at(0.5),
  high: at(0.95),
  /** In the true order of the days. */
  today: 5,
} as const
