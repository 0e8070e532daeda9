import type { CoinKind } from './daily-matrix'
import type { PairColumns } from './pair-columns'
import { STANDING_WINDOW, STATISTIC_WINDOWS } from './pair-statistics'
import { hasLostPeg, isPegged, PEG_WIDTH } from './peg'

/**
 * Coins that are one money, such as WBTC and BTC, found from their prices over the whole matrix; what the provider says of
 * a coin counts where its own rewards or an older depeg hide it there. A coin that has lost its peg is money of its own.
 * @param columns of all pairs of so many coins, best by market cap first
 * @param kinds by row
 * @returns by row: the best coin of the same money, which is the row itself for most
 */
export function sameMoney(
  { ratio, windows }: PairColumns,
  coins: number,
  kinds: ReadonlyMap<number, CoinKind> = new Map(),
): Uint16Array {
  const [quarter, year] = [windows[STATISTIC_WINDOWS.indexOf(STANDING_WINDOW)]!, windows.at(-1)!]
  const isSame = (a: number, b: number): boolean => {
    const pair = (a * (a - 1)) / 2 + b
    const [kindOfA, kindOfB] = [kinds.get(a), kinds.get(b)]
    if (kindOfA === 'usd' && kindOfB === 'usd') return Math.abs(Math.log(ratio[pair]!)) < PEG_WIDTH
    if (hasLostPeg(quarter.distance[pair]!)) return false
    // Staked coins drift by their rewards, in a year by more than the width.
    const hasDrift = kindOfA === 'wrapped' || kindOfB === 'wrapped'
    return isPegged((hasDrift ? quarter : year).deviation[pair]!)
  }
  const groups: number[][] = []
  const best = new Uint16Array(coins)
  for (let coin = 0; coin < coins; coin++) {
    // With every member: a chain would join coins that are not equal.
    const group = groups.find((members) => members.every((member) => isSame(coin, member)))
    if (group === undefined) groups.push([coin])
    else group.push(coin)
    best[coin] = group?.[0] ?? coin
  }
  return best
}
