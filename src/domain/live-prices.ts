import type { HeldPrice } from './ticks'

/** The latest prices of both coins of a pair, in USD. */
export interface LivePrices {
  /** Milliseconds: the last poll that confirmed both. */
  readonly time: number
  readonly priceA: number
  readonly priceB: number
  /** Where they are from; two sources are never mixed in one line. */
  readonly source: string
}

/** Null where a price is not known. */
export const livePrices = (a: HeldPrice | undefined, b: HeldPrice | undefined, source: string): LivePrices | null =>
  a === undefined || b === undefined
    ? null
    : { time: Math.min(a.seen_until, b.seen_until), priceA: a.usd, priceB: b.usd, source }
