import { withDecimals } from '../../../domain/format-number'

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
    return ticks.map((tick) => tick.toExponential(Math.min(digits, 20)))
  }
  const decimals = Math.min(20, Math.max(0, -place + (isWhole(increment / 10 ** place) ? 0 : 1)))
  return ticks.map((tick) => withDecimals(tick, decimals))
}

/** Increments such as 2.5 need a digit more than their size says. */
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6
