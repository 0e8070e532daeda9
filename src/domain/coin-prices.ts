import { LARGEST_POSITIVE, LEAST_POSITIVE } from './series'

/** Prices of a pair's two coins at one moment, US dollars. */
export interface CoinPrices {
  readonly a: number
  readonly b: number
}

const isPrice = (usd: number): boolean => usd >= LEAST_POSITIVE && usd <= LARGEST_POSITIVE

/** Relative: a division and its way through JSON keep all digits, other programs may round to ten. */
const ROUNDING = 1e-9

/** True if prices can be stored and the ratio is made of them: those of another moment would name the wrong coin. */
export const makesRatio = ({ a, b }: CoinPrices, ratio: number): boolean =>
  isPrice(a) && isPrice(b) && Math.abs(a / b - ratio) <= ROUNDING * ratio
