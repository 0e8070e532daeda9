import type { CoinId, WidgetId } from './ids'
import type { Limits } from './tier-limits'

/** A / B, or null where a price is missing or B is not above zero. */
export function ratioOf(priceA: number | null | undefined, priceB: number | null | undefined): number | null {
  if (priceA == null || priceB == null || !(priceA >= 0) || !(priceB > 0)) return null
  const ratio = priceA / priceB
  return Number.isFinite(ratio) ? ratio : null
}

/** Sentences for a pair, or an action on it, that is no longer there. */
export const PAIR_GONE = 'This pair is no longer on your dashboard.'
export const PAIR_INACTIVE = 'This pair is inactive now.'
export const LISTS_NEED_PREMIUM = 'Upgrade to manage multiple checkpoints'

/** The address of a pair's chart inside the app. */
export const chartPath = (widget: WidgetId): string => `/chart/${encodeURIComponent(widget)}`

interface PairOf<Id extends string = string> {
  readonly coinA: Id
  readonly coinB: Id
}

/** Such as `BTC/ETH`: price of the first in units of the second. */
export const pairLabel = (symbolA: string, symbolB: string): string =>
  `${symbolA.toUpperCase()}/${symbolB.toUpperCase()}`

interface Named {
  readonly symbol: string
}

/** The same as a heading, such as "BTC / ETH", however a provider writes its symbols. */
export const pairTitle = ({ coinA, coinB }: { readonly coinA: Named; readonly coinB: Named }): string =>
  `${coinA.symbol.toUpperCase()} / ${coinB.symbol.toUpperCase()}`

export interface NewPair extends PairOf {
  readonly label: string
  /** The pairs that are there already, inactive ones too. */
  readonly existing: readonly PairOf[]
  readonly limits: Limits
}

/** The sentence that refuses any further pair, or null while there is room; inactive widgets count too. */
export function checkRoomForPair(count: number, { max_widgets: max }: Limits): string | null {
  if (count < max) return null
  const refusal = `Maximum number of widgets (${max}) reached for your account tier.`
  return max > 3 ? `${refusal} Upgrade to add more widgets.` : refusal
}

/** The sentence that refuses the pair, or null where it may be added. The order of coins makes a pair another pair. */
export function checkNewPair({ coinA, coinB, label, existing, limits }: NewPair): string | null {
  const noRoom = checkRoomForPair(existing.length, limits)
  if (noRoom !== null) return noRoom
  if (existing.some((pair) => pair.coinA === coinA && pair.coinB === coinB)) {
    return `The exact pair ${label} already exists.`
  }
  if (coinA === coinB) return 'Base and Quote cryptocurrencies cannot be the same.'
  return null
}

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
