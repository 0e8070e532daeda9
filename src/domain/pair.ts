import type { CoinId } from './ids'

/** A / B, or null where a price is missing or B is not above zero. */
export function ratioOf(priceA: number | null | undefined, priceB: number | null | undefined): number | null {
  if (priceA == null || priceB == null || !(priceA >= 0) || !(priceB > 0)) return null
  const ratio = priceA / priceB
  return Number.isFinite(ratio) ? ratio : null
}

/** Sentences for a pair, or an action on a pair, that no longer exists. */
export const PAIR_GONE = 'This pair is no longer on your dashboard.'
export const PAIR_INACTIVE = 'This pair is inactive now.'
export const LISTS_NEED_PREMIUM = 'Upgrade to manage multiple checkpoints'

/** Such as `BTC/ETH`: price of the first in units of the second. */
export const pairLabel = (symbolA: string, symbolB: string): string =>
  `${symbolA.toUpperCase()}/${symbolB.toUpperCase()}`

/** The same as a heading, such as "BTC / ETH". */
export const pairTitle = ({ coinA, coinB }: Readonly<Record<'coinA' | 'coinB', { readonly symbol: string }>>): string =>
  `${coinA.symbol.toUpperCase()} / ${coinB.symbol.toUpperCase()}`

/** A coin that the app can name before any list of coins has come. */
const readyCoinOf = (id: string, symbol: string, name: string) => ({ id: id as CoinId, symbol, name }) as const
type ReadyCoin = ReturnType<typeof readyCoinOf>
export type ReadyPair = Readonly<Record<'coinA' | 'coinB', ReadyCoin>>

const BTC = readyCoinOf('bitcoin', 'BTC', 'Bitcoin')
const ETH = readyCoinOf('ethereum', 'ETH', 'Ethereum')
const SOL = readyCoinOf('solana', 'SOL', 'Solana')
const BNB = readyCoinOf('binancecoin', 'BNB', 'BNB')

/** The pairs that Welcome offers to a user or guest without pairs. */
export const READY_PAIRS: readonly ReadyPair[] = [
  { coinA: ETH, coinB: BTC },
  { coinA: SOL, coinB: ETH },
  { coinA: BNB, coinB: ETH },
]

export const readyCoin = (id: CoinId): ReadyCoin | undefined => [BTC, ETH, SOL, BNB].find((coin) => coin.id === id)

/** current / base - 1, as a fraction; null where either is missing or the base is not above zero. */
export function relativeChange(current: number | null, base: number | null): number | null {
  if (current === null || base === null || !(base > 0)) return null
  const change = current / base - 1
  return Number.isFinite(change) ? change : null
}
