import { type AlertSide, isBeyond } from './alerts'
import { formatRatio } from './format-ratio'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './number-bounds'

/** Factors of the ratio at which a threshold is proposed. */
const PRESETS: Readonly<Record<AlertSide, number>> = { high: 1.05, low: 0.95 }
const DIGITS = 8

/** A computed threshold in the eight significant digits that a person can read, and change. */
export const roundThreshold = (value: number): number => Number(value.toPrecision(DIGITS))

/**
 * The threshold that is proposed for a ratio: 5 % above or below it. Null for a ratio of 0, near which no threshold can
 * be set.
 */
export const presetThreshold = (side: AlertSide, ratio: number): number | null =>
  roundThreshold(ratio * PRESETS[side]) || null

/** A new threshold is armed only where it still has to be crossed; where the ratio is not known, nobody can say. */
export const startsArmed = (side: AlertSide, threshold: number, ratio: number | null): boolean =>
  ratio !== null && threshold > 0 && isBeyond(side === 'high' ? 'low' : 'high', ratio, threshold)

export type ThresholdEntry =
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'armed'; readonly value: number }
  /** Can be saved, but does not fire before the ratio has come back across it. */
  | { readonly kind: 'disarmed'; readonly value: number; readonly message: string }

/** What was typed as a threshold means, at this ratio; null: the ratio is not known. */
export function checkThreshold(side: AlertSide, text: string, ratio: number | null): ThresholdEntry {
  const value = readNumber(text)
  if (value === null) return { kind: 'invalid', message: 'Enter a numeric value.' }
  if (!(value > 0)) {
    return { kind: 'invalid', message: `${side === 'high' ? 'High' : 'Low'} alert value must be greater than 0.` }
  }
  if (value < LEAST_POSITIVE || value > LARGEST_POSITIVE) {
    return { kind: 'invalid', message: `Enter a value between ${LEAST_POSITIVE} and ${LARGEST_POSITIVE}.` }
  }
  if (startsArmed(side, value, ratio)) return { kind: 'armed', value }
  const reason =
    ratio === null
      ? 'Current ratio is not known yet.'
      : `Value is not ${side === 'high' ? 'above' : 'below'} current ratio (${formatRatio(ratio)}).`
  return { kind: 'disarmed', value, message: `${reason} Alert will be saved but not armed.` }
}

/** One separator is the decimal one, be it comma or point; where both occur, or one of them repeats, it groups. */
const PLAIN = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i
const GROUPED_BY_COMMA = /^[+-]?\d{1,3}(?:,\d{3})+\.\d*$|^[+-]?\d{1,3}(?:,\d{3}){2,}$/
const GROUPED_BY_POINT = /^[+-]?\d{1,3}(?:\.\d{3})+,\d*$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$/

/** The number that a person wrote, in either notation; null: none, or one that is not finite. */
function readNumber(text: string): number | null {
  const written = text.replaceAll(/\s/g, '')
  const normal = PLAIN.test(written)
    ? written.replace(',', '.')
    : GROUPED_BY_COMMA.test(written)
      ? written.replaceAll(',', '')
      : GROUPED_BY_POINT.test(written)
        ? written.replaceAll('.', '').replace(',', '.')
        : null
  if (normal === null) return null
  const value = Number(normal)
  return Number.isFinite(value) ? value : null
}
