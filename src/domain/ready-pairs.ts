import type { CoinId } from './ids'

/** A coin that the app can name before any list of coins has come. */
interface ReadyCoin {
  readonly id: CoinId
  readonly symbol: string
  readonly name: string
}

export interface ReadyPair {
  readonly coinA: ReadyCoin
  readonly coinB: ReadyCoin
}

const BTC: ReadyCoin = { id: 'bitcoin' as CoinId, symbol: 'BTC', name: 'Bitcoin' }
const ETH: ReadyCoin = { id: 'ethereum' as CoinId, symbol: 'ETH', name: 'Ethereum' }
const SOL: ReadyCoin = { id: 'solana' as CoinId, symbol: 'SOL', name: 'Solana' }
const BNB: ReadyCoin = { id: 'binancecoin' as CoinId, symbol: 'BNB', name: 'BNB' }

/** The pairs that Welcome offers to a user or guest without pairs. */
export const READY_PAIRS: readonly ReadyPair[] = [
  { coinA: ETH, coinB: BTC },
  { coinA: SOL, coinB: ETH },
  { coinA: BNB, coinB: ETH },
]

export const readyCoin = (id: CoinId): ReadyCoin | undefined => [BTC, ETH, SOL, BNB].find((coin) => coin.id === id)
