import type { RadarReady, PairIds } from '../../../workers/api'
import type { CoinView } from '../../db/view'
import { moverOf } from '../../domain/coin-moves'
import type { WindowColumns } from '../../domain/pair-columns'
import { isPegged } from '../../domain/peg'
import { MIN_COMMON_DAYS, MIN_WINDOW_DAYS, STATISTIC_WINDOWS, type StatisticWindow } from '../../domain/pair-statistics'

/** The worker's answer with all that the screen needs to name and mark its pairs. */
export interface RadarMarket extends RadarReady {
  /** By row of `coins`. */
  readonly labels: readonly CoinView[]
  /** Rows of the user's own coins. */
  readonly own: ReadonlySet<number>
  /** By pair: one of the marks below. */
  readonly marks: Uint8Array
  /** By row A × number of coins + row B, in either order: the pair. */
  readonly pairAt: Int32Array
}

/** A pair's mark: not the user's, on the dashboard as A / B, or there as B / A. */
const [OWN, FLIPPED] = [1, 2]

/** @param own the pairs of the dashboard, in the user's orientation */
export function marketOf(answer: RadarReady, labels: readonly CoinView[], own: readonly PairIds[]): RadarMarket {
  const { coins, a, b } = answer
  const pairAt = new Int32Array(coins.length ** 2).fill(-1)
  for (let pair = 0; pair < a.length; pair++) {
    pairAt[a[pair]! * coins.length + b[pair]!] = pair
    pairAt[b[pair]! * coins.length + a[pair]!] = pair
  }
  const places = new Map(coins.map((coin, row) => [coin, row]))
  const marks = new Uint8Array(a.length)
  const ownCoins = new Set<number>()
  for (const { coinA, coinB } of own) {
    const [rowA, rowB] = [places.get(coinA), places.get(coinB)]
    if (rowA !== undefined) ownCoins.add(rowA)
    if (rowB !== undefined) ownCoins.add(rowB)
    if (rowA === undefined || rowB === undefined) continue
    const pair = pairAt[rowA * coins.length + rowB]!
    // Of A / B and B / A, both on the dashboard, Radar shows its own orientation.
    if (pair >= 0 && marks[pair] !== OWN) marks[pair] = a[pair] === rowA ? OWN : FLIPPED
  }
  return { ...answer, labels, own: ownCoins, marks, pairAt }
}

export const isOwn = ({ marks }: RadarMarket, pair: number): boolean => marks[pair] !== 0
export const isFlipped = ({ marks }: RadarMarket, pair: number): boolean => marks[pair] === FLIPPED

/** Rows of a pair's coins, in the orientation that the user sees. */
export function rowsOf(market: RadarMarket, pair: number): readonly [rowA: number, rowB: number] {
  const [a, b] = [market.a[pair]!, market.b[pair]!]
  return isFlipped(market, pair) ? [b, a] : [a, b]
}

export const columnsOf = (market: RadarMarket, window: StatisticWindow): WindowColumns =>
  market.windows[STATISTIC_WINDOWS.indexOf(window)]!

/** Days of a pair on which both closes are known, in the whole matrix. */
export const commonDays = ({ windows }: RadarMarket, pair: number): number => windows.at(-1)!.days[pair]!

/** True if too few days are known to say anything of the pair in this window. */
export const isShort = (market: RadarMarket, pair: number, window: StatisticWindow): boolean =>
  commonDays(market, pair) < MIN_COMMON_DAYS || columnsOf(market, window).days[pair]! < MIN_WINDOW_DAYS

/** Rows of the pair's coins in which no trading is seen. */
export const frozenCoins = ({ a, b, frozenSince }: RadarMarket, pair: number): readonly number[] =>
  [a[pair]!, b[pair]!].filter((row) => frozenSince.has(row))

/** One pair's figures in the orientation that the user sees; NaN: missing. */
export interface RadarFigures {
  readonly ratio: number
  /** Milliseconds: the time of the older price; null: the ratio is of the last closes. */
  readonly pricedAt: number | null
  readonly z: number
  readonly percentile: number
  /** Above the average of ln ratio, as a fraction of it. */
  readonly distance: number
  readonly isPegged: boolean
  /** The coin that made most of the distance; null: both did. */
  readonly mover: 'a' | 'b' | null
  readonly correlation: number
  readonly days: number
}

/** @param flip shows B / A; the user's own orientation unless given */
export function radarFigures(
  market: RadarMarket,
  pair: number,
  window: StatisticWindow,
  flip = isFlipped(market, pair),
): RadarFigures {
  const { z, percentile, deviation, distance, legOfA, correlation, days } = columnsOf(market, window)
  const { a, b } = market
  const ratio = market.ratio[pair]!
  const away = distance[pair]!
  const legs = [legOfA[pair]!, legOfA[pair]! - Math.log1p(away)] as const
  return {
    ratio: flip ? 1 / ratio : ratio,
    pricedAt: market.live[pair] === 1 ? Math.min(market.pricedAt[a[pair]!]!, market.pricedAt[b[pair]!]!) : null,
    z: flip ? -z[pair]! : z[pair]!,
    percentile: flip ? 1 - percentile[pair]! : percentile[pair]!,
    distance: flip ? 1 / (1 + away) - 1 : away,
    isPegged: isPegged(deviation[pair]!),
    mover: flip ? moverOf(legs[1], legs[0]) : moverOf(legs[0], legs[1]),
    correlation: correlation[pair]!,
    days: days[pair]!,
  }
}
