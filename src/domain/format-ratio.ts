import { MISSING, withDecimals } from './format-number'

/** The larger a ratio, the fewer decimals; exponential from 1e7 and below 1e-7; "N/A" where it is not known. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio) || ratio < 0) return MISSING
  if (ratio === 0) return '0.00'
  if (ratio >= 1e7 || ratio < 1e-7) return ratio.toExponential(4)
  const decimals = ratio >= 1000 ? 2 : ratio >= 100 ? 3 : ratio >= 1 ? 4 : ratio >= 0.01 ? 6 : 8
  return withDecimals(ratio, decimals)
}
