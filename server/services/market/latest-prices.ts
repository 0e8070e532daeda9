import type { Pool } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { readPrices, type StoredPrice } from './prices'

/** How long this process trusts what it read, since another may be the one that polls. Milliseconds. */
const TRUST = 1_000

export interface LatestPrices {
  /** By coin id. */
  all(): Promise<ReadonlyMap<string, StoredPrice>>
  /** Prices were stored: read them again. */
  forget(): void
}

/** The latest prices, read once for all who ask within a second. */
export function latestPrices(pool: Pool, source: MarketSource, clock: () => number): LatestPrices {
  let read: { readonly at: number; readonly prices: Promise<ReadonlyMap<string, StoredPrice>> } | null = null

  return {
    all: () => {
      const now = clock()
      if (read === null || Math.abs(now - read.at) > TRUST) {
        const mine = { at: now, prices: readPrices(pool, source) }
        read = mine
        // A failure is told to those who wait, and not kept for others.
        mine.prices.catch(() => {
          if (read === mine) read = null
        })
      }
      return read.prices
    },
    forget: () => {
      read = null
    },
  }
}
