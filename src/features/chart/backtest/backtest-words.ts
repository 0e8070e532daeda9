import type { PairsWalk, WalkAnswer } from '../../../../workers/api'
import type { Backtest, Holding } from '../../../domain/backtest'
import { type Period, PERIOD_RULES } from '../../../domain/chart-periods'
import { formatSignificant, withDecimals } from '../../../domain/format-number'
import { DAY, HOUR } from '../../../domain/granularity'
import { deviationWords } from '../../../domain/standing'
import { isTooFew, type SwapReach, walkPlan } from '../../../domain/walk-forward'

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

/**
 * The figures of a backtest, each with its name.
 * @param isFair false: no walk forward stands beside them, and what rotating would have left is not told
 */
export function backtestFacts(
  { swaps, rotating, late, holdingA, holdingB, medianWait, longestWait, isLongestUnderWay, drawdown }: Backtest,
  symbols: Symbols,
  isFair: boolean,
): readonly { readonly name: string; readonly value: string }[] {
  const left = [
    { name: 'Rotating would have left', value: inBoth(rotating, symbols, late) },
    { name: `Holding ${symbols.a}`, value: inBoth(holdingA, symbols) },
    { name: `Holding ${symbols.b}`, value: inBoth(holdingB, symbols) },
  ]
  const fall = {
    name: `Deepest fall, in ${symbols.a}`,
    value: drawdown === 0 ? 'none' : `${withDecimals(100 * drawdown, 1)}\u00A0%`,
  }
  return [
    { name: 'Swaps', value: String(swaps.length) },
    ...(isFair ? left : []),
    { name: 'Between swaps (median)', value: medianWait === null ? 'n.a.' : formatSpan(medianWait) },
    {
      name: 'Longest without a swap',
      value: `${formatSpan(longestWait)}${isLongestUnderWay ? ', under way' : ''}`,
    },
    ...(isFair ? [fall] : []),
  ]
}

const swapWords = (swaps: number): string => (swaps === 1 ? '1 swap' : `${swaps} swaps`)

/** Such as "1.2 % more", or "between 0.4 and 1.2 % more". @param late with swaps made a point later, at most `gain` */
export function gainWords(gain: number, late = gain): string {
  const [least, most] = [late, gain].map((share) => `${withDecimals(Math.abs(share) * 100, 1)}\u00A0%`) as [
    string,
    string,
  ]
  const wayOf = (share: number, words: string) => (words === NOTHING ? 'more' : share < 0 ? 'less' : 'more')
  const [from, to] = [wayOf(late, least), wayOf(gain, most)]
  if (least === most && from === to) return most === NOTHING ? 'as much' : `${most} ${to}`
  if (from !== to) return `between ${least} ${from} and ${most} ${to}`
  const [small, large] = from === 'less' ? [most, least] : [least, most]
  return `between ${small.slice(0, -2)} and ${large} ${to}`
}
const NOTHING = '0.0\u00A0%'

/** Of a period whose own walk has no lines. */
export const NO_PAST = 'Not enough past for a fair test'

/** The result of a rule that knew only what lay before it. @param shown the period of the chart */
export function walkSentence(
  { period, from, until, swaps, gain, late }: WalkAnswer,
  shown: Period,
  chartFrom: number,
  { a }: Symbols,
): string {
  const { window, step } = walkPlan(PERIOD_RULES[period].duration)
  const each = step === 30 * DAY ? 'month' : formatSpan(step)
  const days = Math.round((until - from) / DAY)
  const partly = from > chartFrom ? `Over the last ${days} days, with` : 'With'
  const lead = period === shown ? partly : `${NO_PAST} of this period. Over ${days} days of daily closes, with`
  const made = swaps === 0 ? 'no swap' : `${gainWords(gain, late)} ${a}, ${swapWords(swaps)}`
  return `${lead} lines drawn from the ${formatSpan(window)} before each ${each}: ${made}${isTooFew(swaps) ? ', too few to tell' : ''}.`
}

/** The result of the same period's own lines, after that of `walkSentence`. @param isFair as of `backtestFacts` */
export function backtestSentence(
  { swaps, rotating, late }: Backtest,
  swapAt: 'thresholds' | 'bands',
  isFair: boolean,
): string {
  const lines =
    swapAt === 'bands'
      ? 'At the chart’s bands, each as it was a point before'
      : 'With today’s lines, which know these days'
  if (swaps.length === 0) return `${lines}: no swap.`
  const left = isFair ? `${gainWords(rotating.a - 1, late.a - 1)}, ` : ''
  return `${lines}: ${left}${swapWords(swaps.length)}.`
}

/** Such as "+1.3σ and −0.9σ". */
const ruleWords = ({ high, low }: SwapReach): string => `${deviationWords(high)} and ${deviationWords(-low)}`

/** The rule over all pairs; the share is of walks, two a pair. */
export function pairsWalkSentence({ pairs, days, median, above }: PairsWalk, k: SwapReach): string {
  if (median === null) return 'The daily closes on this device are too few for a test of all pairs.'
  return `The same rule, ${ruleWords(k)}, over ${days} days of ${pairs} pairs, each both ways round: ${gainWords(median)} (median), more in ${Math.round(100 * above)}\u00A0% of them.`
}

/** A cost as typed, in per cent with a point or a comma; null: not a number from 0 to the largest. */
export function readCost(text: string, largest: number): number | null {
  const typed = text.trim().replace('%', '').trim().replace(',', '.')
  const value = /^\d*\.?\d+$|^\d+\.$/.test(typed) ? Number(typed) / 100 : NaN
  return value >= 0 && value <= largest ? value : null
}

export const writeCost = (cost: number): string => String(Number((100 * cost).toPrecision(6)))
