/** Share of a swap's amount that fee and spread cost together, until the user sets another. */
export const DEFAULT_SWAP_COST = 0.003
/** A cost beyond this is a slip of the finger. */
export const LARGEST_SWAP_COST = 0.05
