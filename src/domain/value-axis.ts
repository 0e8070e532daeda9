import { exponential, withDecimals } from './format-number'

/**
 * Labels of the value axis with just the digits that tell neighbours apart; 1e7 and more, and below a millionth,
 * exponential.
 * @param increment distance between two ticks
 */
export function valueLabels(ticks: readonly number[], increment: number): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs))
  const place = Math.floor(Math.log10(increment) + 1e-9)
  if (largest >= 1e7 || (largest > 0 && largest < 1e-6)) {
    const digits = Math.max(0, Math.floor(Math.log10(largest)) - place)
    return ticks.map((tick) => exponential(tick, Math.min(digits, 20)))
  }
  const decimals = Math.min(20, Math.max(0, -place + (isWhole(increment / 10 ** place) ? 0 : 1)))
  return ticks.map((tick) => withDecimals(tick, decimals))
}

/** Increments such as 2.5 need a digit more than their size says. */
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6

/** Share of the values' span that is left free above and below. */
const ROOM = 0.06

/** Spans of the visible data. A reference within this distance is brought into view; further away, it would flatten the lines. */
const NEAR = 0.5

/**
 * The value axis: what is visible, the references near it, and some room; not below zero where no value is.
 * @param min least visible value; null: there is none
 */
export function valueRange(
  references: readonly { readonly value: number }[],
  min: number | null,
  max: number | null,
): [number, number] {
  if (min === null || max === null) return [0, 1]
  const reach = (max - min) * NEAR
  const near = references.map(({ value }) => value).filter((value) => value >= min - reach && value <= max + reach)
  const least = Math.min(min, ...near)
  const most = Math.max(max, ...near)
  const room = most > least ? (most - least) * ROOM : Math.abs(most) * 0.005 || 1
  return [least >= 0 ? Math.max(0, least - room) : least - room, most + room]
}
