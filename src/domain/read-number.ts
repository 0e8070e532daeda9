import { formatRatio } from './format-number'

/** The meaning of a text as a number. */
export type NumberReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly value: number }
  /** Both are usual: the separator as the decimal one, and as one that groups. */
  | { readonly kind: 'either'; readonly values: readonly [decimal: number, grouped: number] }

/** One separator: the decimal one, be it comma or point. */
const PLAIN = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i

const GROUPED_BY_COMMA = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/

const GROUPED_BY_POINT = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/

/** Spaces of any width, or apostrophes, leave both other separators for the decimals. */
const GROUPED_BY_SPACE = /^[+-]?[1-9]\d{0,2}([\s'’])\d{3}(?:\1\d{3})*(?:[.,]\d*)?$/

/** Either a number with three decimals or one group of thousands. */
const THREE_DIGITS = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/

const numberOr = (written: string): NumberReading => {
  const value = Number(written)
  return Number.isFinite(value) ? { kind: 'one', value } : { kind: 'none' }
}

/**
 * The number that a user typed beside a ratio that the same screen shows.
 *
 * The screen groups by comma and has a point before decimals. One separator and exactly three digits, such as "90,000" or
 * "90.000", is a number with decimals in one country and ninety thousand in another; the shown ratio decides where it can:
 * a comma groups beside a ratio that is shown with grouping, and a point is the decimal one beside a ratio below 1,000.
 * @param ratio the shown ratio; null: not known
 */
export function readNumber(text: string, ratio: number | null): NumberReading {
  const written = text.trim().replace('−', '-')
  const separator = THREE_DIGITS.exec(written)?.[1]
  if (separator !== undefined) {
    const decimal = Number(written.replace(',', '.'))
    const grouped = Number(written.replace(separator, ''))
    if (separator === ',' && formatRatio(ratio).includes(',')) return { kind: 'one', value: grouped }
    if (separator === '.' && ratio !== null && !isLarge(ratio)) return { kind: 'one', value: decimal }
    return { kind: 'either', values: [decimal, grouped] }
  }
  if (PLAIN.test(written)) return numberOr(written.replace(',', '.'))
  if (GROUPED_BY_COMMA.test(written)) return numberOr(written.replaceAll(',', ''))
  if (GROUPED_BY_POINT.test(written)) return numberOr(written.replaceAll('.', '').replace(',', '.'))
  if (GROUPED_BY_SPACE.test(written)) return numberOr(written.replaceAll(/[\s'’]/g, '').replace(',', '.'))
  return { kind: 'none' }
}

/** Shown as 1,000 or more, with grouping or as a power of ten: thousands are usual beside it. */
const isLarge = (ratio: number): boolean => ratio >= 1000 || formatRatio(ratio).includes(',')

/** A number as a user may type it, in a form that `readNumber` reads as that number alone. */
export function writeNumber(value: number, ratio: number | null): string {
  const written = String(value)
  return readNumber(written, ratio).kind === 'either' ? `${written}0` : written
}
