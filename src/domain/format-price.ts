import { MISSING, withDecimals } from './format-number'

/** Below this, eight decimals would show fewer than three digits. */
const EXPONENTIAL_BELOW = 1e-6

/** A price in US dollars: $123,456.78, $0.1235, $1.23e-8; "N/A" where it is not known. */
export function formatPrice(usd: number | null): string {
  if (usd === null || !Number.isFinite(usd) || usd < 0) return MISSING
  if (usd === 0) return '$0.00'
  if (usd < EXPONENTIAL_BELOW) return `$${usd.toExponential(2)}`
  return `$${withDecimals(usd, usd >= 10 ? 2 : usd >= 0.1 ? 4 : usd >= 0.01 ? 5 : 8)}`
}
