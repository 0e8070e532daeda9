/** Share of a swap's amount that fee and spread cost together, until the user sets another. */
export const DEFAULT_SWAP_COST = 0.003
/** A cost beyond this is a slip of the finger. */
export const LARGEST_SWAP_COST = 0.05

/** Coins of a higher rank by market cap are traded little: the default cost is too low for them. */
const WELL_TRADED = 100

/**
 * A remark on the cost of swapping coins that are traded little; null: all are traded well.
 * @param rankOf rank of a coin by market cap; undefined: it is not in the list of coins
 */
export function spreadRemark<C extends { readonly symbol: string }>(
  coins: readonly C[],
  rankOf: (coin: C) => number | undefined,
): string | null {
  const few = coins.filter((coin) => (rankOf(coin) ?? Infinity) > WELL_TRADED)
  if (few.length === 0) return null
  const names = few.map(({ symbol }) => symbol.toUpperCase()).join(' and ')
  return `Spreads of 1\u00A0% are common for ${names}, beyond the best ${WELL_TRADED} coins by market cap.`
}
