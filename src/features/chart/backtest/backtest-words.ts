import type { Backtest, Holding } from '../../../domain/backtest'
import { formatSignificant, withDecimals } from '../../../domain/format-number'
import { DAY, HOUR } from '../../../domain/granularity'

/** Upper-case symbols of both coins. */
export interface Symbols {
  readonly a: string
  readonly b: string
}

/** Such as "2.1 days" or "5 hours". */
function formatSpan(milliseconds: number): string {
  const [value, unit] = milliseconds < 2 * DAY ? [milliseconds / HOUR, 'hour'] : [milliseconds / DAY, 'day']
  const shown = value < 10 ? withDecimals(value, 1).replace(/\.0$/, '') : withDecimals(value, 0)
  return `${shown} ${unit}${shown === '1' ? '' : 's'}`
}

/** Five digits: differences of a hundredth of a per cent are seen. */
const amount = (value: number): string => formatSignificant(value, 5)

const inBoth = ({ a, b }: Holding, symbols: Symbols, least: Holding = { a, b }): string =>
  `${between(amount(least.a), amount(a))} ${symbols.a}, or ${between(amount(least.b), amount(b))} ${symbols.b}`

const between = (least: string, most: string): string => (least === most ? most : `between ${least} and ${most}`)

/** The figures of a backtest, each with its name. */
export function backtestFacts(
  { swaps, rotating, late, holdingA, holdingB, medianWait, longestWait, isLongestUnderWay, drawdown }: Backtest,
  symbols: Symbols,
): readonly { readonly name: string; readonly value: string }[] {
  return [
    { name: 'Swaps', value: String(swaps.length) },
    { name: 'Rotating would have left', value: inBoth(rotating, symbols, late) },
    { name: `Holding ${symbols.a}`, value: inBoth(holdingA, symbols) },
    { name: `Holding ${symbols.b}`, value: inBoth(holdingB, symbols) },
    { name: 'Between swaps (median)', value: medianWait === null ? 'n.a.' : formatSpan(medianWait) },
    {
      name: 'Longest without a swap',
      value: `${formatSpan(longestWait)}${isLongestUnderWay ? ', under way' : ''}`,
    },
    {
      name: `Deepest fall, in ${symbols.a}`,
      value: drawdown === 0 ? 'none' : `${withDecimals(100 * drawdown, 1)}\u00A0%`,
    },
  ]
}

/** The result in one sentence: rotating beside holding A. */
export function backtestSentence({ swaps, rotating }: Backtest, symbols: Symbols): string {
  if (swaps.length === 0) return 'The ratio reached neither side in this period: nothing would have been swapped.'
  const change = rotating.a - 1
  const share = `${withDecimals(Math.abs(change) * 100, 1)}\u00A0%`
  const times = swaps.length === 1 ? 'One swap' : `${swaps.length} swaps`
  if (share === '0.0\u00A0%') return `${times} would have left as much ${symbols.a} as holding it.`
  return `${times} would have left ${share} ${change > 0 ? 'more' : 'less'} ${symbols.a} than holding it.`
}

/** A cost as typed, in per cent with a point or a comma; null: not a number from 0 to the largest. */
export function readCost(text: string, largest: number): number | null {
  const typed = text.trim().replace('%', '').trim().replace(',', '.')
  const value = /^\d*\.?\d+$|^\d+\.$/.test(typed) ? Number(typed) / 100 : NaN
  return value >= 0 && value <= largest ? value : null
}

export const writeCost = (cost: number): string => String(Number((100 * cost).toPrecision(6)))
