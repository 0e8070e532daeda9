import type { CoinPrices } from './coin-prices'
import { MISSING, signedDecimals } from './format-number'

/** A change such as "+14 %", the smaller the more decimals: "+8.0 %", "+0.31 %". @param fraction NaN: not known */
export function percentWords(fraction: number): string {
  const size = Math.abs(fraction)
  return Number.isNaN(fraction)
    ? MISSING
    : `${signedDecimals(100 * fraction, size < 0.01 ? 2 : size < 0.1 ? 1 : 0)}\u00A0%`
}

/** "Since checkpoint +9.1 %, mostly ETH: +8.0 %, BTC −1.0 %": the ratio's change, and `moveWords`. */
export const sinceCheckpointWords: typeof moveWords = (symbols, before, now) =>
  `Since checkpoint ${percentWords(now.a / now.b / (before.a / before.b) - 1)}, ${moveWords(symbols, before, now)}`

/** A coin that made more than this share of a pair's movement is named. */
const MOST_OF_IT = 0.75

/**
 * The coin that made most of a movement of ln(A / B); null: both did, or nothing moved.
 * @param legOfA logarithm of A's own movement. @param legOfB of B's
 */
export function moverOf(legOfA: number, legOfB: number): 'a' | 'b' | null {
  const shareOfA = Math.abs(legOfA) / (Math.abs(legOfA) + Math.abs(legOfB))
  return shareOfA > MOST_OF_IT ? 'a' : shareOfA < 1 - MOST_OF_IT ? 'b' : null
}

/**
 * Each coin's own move, so that one coin's rise is not taken for a swing of the pair: "mostly ETH: +8.0 %, BTC −1.0 %", or
 * "ETH +8.0 %, BTC +7.0 %" where neither made most of it.
 * @param symbols of coin A and coin B
 * @param before both above zero. @param now both above zero
 */
export function moveWords([a, b]: readonly [a: string, b: string], before: CoinPrices, now: CoinPrices): string {
  const [moveOfA, moveOfB] = [now.a / before.a, now.b / before.b]
  const [ofA, ofB] = [moveOfA, moveOfB].map((move) => percentWords(move - 1))
  switch (moverOf(Math.log(moveOfA), Math.log(moveOfB))) {
    case 'a':
      return `mostly ${a}: ${ofA}, ${b} ${ofB}`
    case 'b':
      return `mostly ${b}: ${ofB}, ${a} ${ofA}`
    case null:
      return `${a} ${ofA}, ${b} ${ofB}`
  }
}
