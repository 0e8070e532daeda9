import type { AlertSide } from './alerts'
import { withDecimals } from './format-number'
import { formatRatio } from './format-ratio'

/** Decimals that every browser's Intl can show. */
const MOST_DECIMALS = 20
/** Fraction of the ratio: a threshold that is further from it is more often a slip than a plan. */
const FAR = 0.5

const decimalsOf = (written: string): number => (/\.(\d+)$/.exec(written)?.[1] ?? '').length

/** A threshold with every digit that is stored, grouped, and with the decimals that a ratio of its size is shown with. */
export function formatStored(value: number): string {
  const written = String(value)
  if (written.includes('e')) return written
  const decimals = Math.max(decimalsOf(written), decimalsOf(formatRatio(value)))
  return withDecimals(value, Math.min(decimals, MOST_DECIMALS))
}

/** Such as "4.3 % below now"; null where there is no ratio to compare with. */
export function distanceFromNow(value: number, ratio: number | null): string | null {
  if (ratio === null || !(ratio > 0)) return null
  if (value === ratio) return 'the same as now'
  const above = value > ratio
  return `${percentOf(Math.abs(value / ratio - 1) * 100, above)}\u00A0% ${above ? 'above' : 'below'} now`
}

/** Nothing below lies 100 % below, so that no rounding may say so. */
function percentOf(percent: number, above: boolean): string {
  if (percent < 0.01) return 'less than 0.01'
  if (percent < 0.1) return withDecimals(percent, 2)
  if (!above && percent > 99.9) return 'more than 99.9'
  if (percent > 1e6) return 'more than 1,000,000'
  return withDecimals(percent, percent < 100 ? 1 : 0)
}

/** More than 50 % above or below the ratio; false where the ratio is not known. */
export const isFarFromNow = (value: number, ratio: number | null): boolean =>
  ratio !== null && ratio > 0 && Math.abs(value / ratio - 1) > FAR

/** A crossing of this side, to somebody who holds either coin. Symbols as they are shown. */
export const sideMeaning = (side: AlertSide, symbolA: string, symbolB: string): string =>
  side === 'high'
    ? `High: ${symbolA} is dear against ${symbolB}, the moment to sell ${symbolA} for ${symbolB}.`
    : `Low: ${symbolA} is cheap against ${symbolB}, the moment to buy ${symbolA} with ${symbolB}.`
