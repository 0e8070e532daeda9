import { type AlertSide, isBeyond } from './alerts'
import { formatRatio } from './format-ratio'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from './number-bounds'
import { readNumber } from './read-number'

/** Per cent of the ratio at which a threshold is proposed. */
const PRESET = 5
const DIGITS = 8

/** A computed threshold in the eight significant digits that a person can read, and change. */
export const roundThreshold = (value: number): number => Number(value.toPrecision(DIGITS))

/** So many per cent above the ratio, or below it for the low side. Null for a ratio of 0, near which none can be set. */
export const thresholdAt = (side: AlertSide, percent: number, ratio: number): number | null =>
  roundThreshold((ratio * (100 + (side === 'high' ? percent : -percent))) / 100) || null

/** The threshold that is proposed for a ratio: 5 % above or below it. */
export const presetThreshold = (side: AlertSide, ratio: number): number | null => thresholdAt(side, PRESET, ratio)

/** A new threshold is armed only where it still has to be crossed; where the ratio is not known, nobody can say. */
export const startsArmed = (side: AlertSide, threshold: number, ratio: number | null): boolean =>
  ratio !== null && threshold > 0 && isBeyond(side === 'high' ? 'low' : 'high', ratio, threshold)

export type ThresholdEntry =
  | { readonly kind: 'invalid'; readonly message: string }
  /** Two numbers are written like this, and the user has to say which one is meant. */
  | { readonly kind: 'ambiguous'; readonly values: readonly [decimal: number, grouped: number] }
  | { readonly kind: 'armed'; readonly value: number }
  /** Can be saved, but does not fire before the ratio has come back across it. */
  | { readonly kind: 'disarmed'; readonly value: number; readonly message: string }

/** What was typed as a threshold means, at this ratio; null: the ratio is not known. */
export function checkThreshold(side: AlertSide, text: string, ratio: number | null): ThresholdEntry {
  const reading = readNumber(text, ratio)
  if (reading.kind === 'none') return { kind: 'invalid', message: 'Enter a numeric value.' }
  if (reading.kind === 'either' && reading.values[0] > 0) return { kind: 'ambiguous', values: reading.values }
  const value = reading.kind === 'either' ? reading.values[0] : reading.value
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
