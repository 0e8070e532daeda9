import { percentWords } from '../../domain/coin-moves'
import { withDecimals } from '../../domain/format-number'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS, type StatisticWindow } from '../../domain/pair-statistics'
import { daysOfWindow, deviationWords } from '../../domain/standing'
import { dayWords } from '../../ui/utc-day'
import { columnsOf, commonDays, frozenCoins, isShort, type RadarFigures, type RadarMarket } from './radar-market'

/** Windows as the user chooses them. */
export const WINDOW_WORDS: Readonly<Record<StatisticWindow, string>> = {
  30: '30 d',
  90: '90 d',
  180: '180 d',
  365: '1 y',
}

/** Deviations with the digits that tell ranked pairs apart, such as "+1.93σ"; null: not known, or of a peg, where they mislead. */
export const sigmaWords = ({ z, isPegged }: RadarFigures): string | null =>
  isPegged || Number.isNaN(z) ? null : deviationWords(z, 2)

/** Such as "+1.93σ · +14 %". */
export const distanceWords = (figures: RadarFigures): string =>
  [sigmaWords(figures), percentWords(figures.distance)].filter((words) => words !== null).join(' · ')

/** Such as "DOGE: no trading seen since Oct 12". */
export const frozenCoinWords = ({ labels, frozenSince }: RadarMarket, row: number): string =>
  `${labels[row]!.symbol}: no trading seen since ${dayWords(frozenSince.get(row)!)}`

/** How few days of a pair are known; null: about as many as the window has. */
export function daysWords({ days }: RadarFigures, window: StatisticWindow): string | null {
  return daysOfWindow(days, window) === window ? null : `${days} of ${window} days`
}

/** Why nothing is said of a pair; null: its figures are. */
export function missingWords(market: RadarMarket, pair: number, window: StatisticWindow): string | null {
  if (market.age.closes === 'too old') return `Closes are ${market.age.daysBehind} days old`
  const [frozen] = frozenCoins(market, pair)
  if (frozen !== undefined) return frozenCoinWords(market, frozen)
  if (!isShort(market, pair, window)) return null
  const common = commonDays(market, pair)
  if (common < MIN_COMMON_DAYS) return `${common} of ${MIN_COMMON_DAYS} days needed`
  return `${columnsOf(market, window).days[pair]!} of the last ${window} days, ${MIN_WINDOW_DAYS} needed`
}

export const pairsWords = (count: number): string => (count === 1 ? '1 pair' : `${withDecimals(count, 0)} pairs`)
