import { type AlertSide, isBeyond, OPPOSITE_SIDE, SIDE_LOOKS, SIDES } from './alerts'
import { formatRatio, withDecimals } from './format-number'
import { readNumber } from './read-number'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'

/** Decimals that every browser's Intl can show. */
const MAX_DECIMALS = 20
/** Fraction of the ratio: a threshold that is further from it is more often a slip than a plan. */
const FAR = 0.5

const decimalsOf = (written: string): number => (/\.(\d+)$/.exec(written)?.[1] ?? '').length

/** A threshold with every digit that is stored, grouped, and with the decimals that a ratio of its size is shown with. */
export function formatStored(value: number): string {
  const written = String(value)
  if (written.includes('e')) return written
  const decimals = Math.max(decimalsOf(written), decimalsOf(formatRatio(value)))
  return withDecimals(value, Math.min(decimals, MAX_DECIMALS))
}

/** Such as "4.3 % below now"; null: no ratio to compare with. */
export function distanceFromNow(value: number, ratio: number | null): string | null {
  if (ratio === null || !(ratio > 0)) return null
  if (value === ratio) return 'the same as now'
  const above = value > ratio
  return `${percentOf(Math.abs(value / ratio - 1) * 100, above)}\u00A0% ${above ? 'above' : 'below'} now`
}

/** A positive value is never 100 % below, so no rounding may say so. */
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

/** The meaning of a crossing for a holder of either coin, and no advice. Symbols as shown. */
export const sideMeaning = (side: AlertSide, symbolA: string, symbolB: string): string =>
  side === 'high'
    ? `High: ${symbolA} is dear against ${symbolB}: one ${symbolA} buys more ${symbolB} than usual.`
    : `Low: ${symbolA} is cheap against ${symbolB}: one ${symbolA} buys less ${symbolB} than usual.`

/** A new threshold is armed only if the ratio is known and still has to cross it. */
export const startsArmed = (side: AlertSide, threshold: number, ratio: number | null): boolean =>
  ratio !== null && threshold > 0 && isBeyond(OPPOSITE_SIDE[side], ratio, threshold)

export type ThresholdEntry =
  | { readonly kind: 'invalid'; readonly message: string }
  /** The text can mean two numbers: the user has to choose one. */
  | { readonly kind: 'ambiguous'; readonly values: readonly [decimal: number, grouped: number] }
  | { readonly kind: 'armed'; readonly value: number }
  /** Can be saved, but does not fire before the ratio has come back across it. */
  | { readonly kind: 'disarmed'; readonly value: number; readonly message: string }

/** Reading of a typed threshold at this ratio; null: the ratio is not known. */
export function checkThreshold(side: AlertSide, text: string, ratio: number | null): ThresholdEntry {
  const reading = readNumber(text, ratio)
  if (reading.kind === 'none') return { kind: 'invalid', message: 'Enter a numeric value.' }
  if (reading.kind === 'either' && reading.values[0] > 0) return { kind: 'ambiguous', values: reading.values }
  const value = reading.kind === 'either' ? reading.values[0] : reading.value
  if (!(value > 0)) {
    return { kind: 'invalid', message: `${SIDE_LOOKS[side].name} alert value must be greater than 0.` }
  }
  if (value < LEAST_POSITIVE || value > LARGEST_POSITIVE) {
    return { kind: 'invalid', message: `Enter a value between ${LEAST_POSITIVE} and ${LARGEST_POSITIVE}.` }
  }
  if (startsArmed(side, value, ratio)) return { kind: 'armed', value }
  const reason =
    ratio === null
      ? 'Current ratio is not known yet.'
      : `Value is not ${SIDES[side].kind} current ratio (${formatRatio(ratio)}).`
  return { kind: 'disarmed', value, message: `${reason} Alert will be saved but not armed.` }
}
