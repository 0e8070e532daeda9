import type { CoinId } from './ids'
import type { HeldPrice } from './ticks'

/** Milliseconds between two polls of prices: the specification's pace, of the server at its provider and of pages at the server. */
export const POLL_INTERVAL = 75_000

/** The latest prices of both coins of a pair, in USD. */
export interface LivePrices {
  /** Milliseconds: the older of the two prices' `provider_time`. */
  readonly providerTime: number
  readonly priceA: number
  readonly priceB: number
  /** The market-data source of both; two sources are never mixed in one line. */
  readonly source: string
}

/** Null where a price is not known. */
export function livePricesOf(
  row: { readonly prices: Readonly<Record<CoinId, HeldPrice | undefined>>; readonly source: string } | undefined,
  coinA: CoinId,
  coinB: CoinId,
): LivePrices | null {
  const [a, b] = [row?.prices[coinA], row?.prices[coinB]]
  if (row === undefined || a === undefined || b === undefined) return null
  return { providerTime: Math.min(a.provider_time, b.provider_time), priceA: a.usd, priceB: b.usd, source: row.source }
}
