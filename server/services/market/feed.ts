import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { MarketProvider, SpotPrice } from '../../adapters/market-data/provider'

/** Database, provider and clock of what brings market data in. */
export interface FeedDeps {
  readonly pool: Pool
  readonly provider: MarketProvider
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** Stores what the source said, by coin id; with `history` it goes into the history as well. */
export type StorePrices = (prices: ReadonlyMap<string, SpotPrice>, options: { history: boolean }) => Promise<void>
