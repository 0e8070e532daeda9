/** Ratios, prices and thresholds lie within these bounds, so that their products and quotients stay inside a double. */
export const LEAST_POSITIVE = 1e-30
export const LARGEST_POSITIVE = 1e30
