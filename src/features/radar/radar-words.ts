import { withDecimals } from '../../domain/format-number'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS, type StatisticWindow } from '../../domain/pair-statistics'
import { deviationWords } from '../../domain/standing'
import { columnsOf, commonDays, type RadarFigures, type RadarMarket } from './radar-market'

/** Windows as the user chooses them. */
export const WINDOW_WORDS: Readonly<Record<StatisticWindow, string>> = {
  30: '30 d',
  90: '90 d',
  180: '180 d',
  365: '1 y',
}

/** Deviations from the average with the digits that tell ranked pairs apart, such as "+1.93σ". */
export const zWords = (z: number): string => deviationWords(z, 2)

/** How few days of a pair are known; null: as many as the window has. */
export function daysWords({ days }: RadarFigures, window: StatisticWindow): string | null {
  return days < window - 1 ? `${days} of ${window} days` : null
}

/** Why nothing is said of a pair. */
export function shortageWords(market: RadarMarket, pair: number, window: StatisticWindow): string {
  const common = commonDays(market, pair)
  if (common < MIN_COMMON_DAYS) return `${common} of ${MIN_COMMON_DAYS} days needed`
  return `${columnsOf(market, window).days[pair]!} of the last ${window} days, ${MIN_WINDOW_DAYS} needed`
}

export const pairsWords = (count: number): string => (count === 1 ? '1 pair' : `${withDecimals(count, 0)} pairs`)
