import type { Coin, Historical, MarketSource } from '../../../src/contract/market'
import type { CoinId } from '../../../src/domain/ids'
import type { Period } from '../../../src/domain/period'
import type { PeriodicJob } from '../../jobs/periodic'

export interface LatestPrice {
  readonly usd: number
  /** Milliseconds: as of when the source says it was true. */
  readonly at: number
}

export interface ServedHistory {
  readonly answer: Historical
  /** False where the provider could not be asked for all of it, so that asking again soon may bring more. */
  readonly complete: boolean
}

/** Prices as this server knows them; everything is answered from what is stored. */
export interface Market {
  readonly source: MarketSource
  readonly attribution: { readonly text: string; readonly url: string | null }
  /** The list, best rank first. @throws ApiError MARKET_DATA_UNAVAILABLE while none was ever loaded */
  coins(): Promise<readonly Coin[]>
  /** @throws ApiError MARKET_DATA_UNAVAILABLE while no list was ever loaded */
  knows(id: CoinId): Promise<boolean>
  /**
   * Coins without a known price are left out. Coins that are asked for are polled along with those of widgets.
   * @param ip the address that asks, which may cause so many requests to the provider; without one, any number
   */
  prices(ids: readonly string[], ip?: string): Promise<ReadonlyMap<string, LatestPrice>>
  /**
   * @param ip as for prices
   * @throws ApiError NOT_FOUND, MARKET_DATA_UNAVAILABLE
   */
  history(id: CoinId, period: Period, ip?: string): Promise<ServedHistory>
  /** Sees to it that there is a list of coins, if that can be had soon. */
  start(): Promise<void>
  /** Waits for what was begun out of turn. */
  stop(): Promise<void>
}

/** A market and the periodic work that keeps it fresh. */
export interface RunningMarket extends Market {
  readonly jobs: readonly PeriodicJob[]
}
