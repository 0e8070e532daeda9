import type { MarketSource } from '../../../src/contract/market'
import type { CoinKind } from '../../../src/domain/daily-matrix'
import type { Exchange } from '../../../src/domain/exchanges'
import type { Granularity } from '../../../src/domain/granularity'
import type { Series } from '../../../src/domain/series'

/** A coin as its source lists it; `usd` is the price at the time of the list, where the source gave one. */
export interface ListedCoin {
  readonly id: string
  readonly symbol: string
  readonly name: string
  /** An URL, or a path of this server. */
  readonly image: string | null
  readonly market_cap_rank: number
  readonly usd: number | null
  /** Milliseconds: when the provider says `usd` was true. */
  readonly providerTime: number
}

export interface SpotPrice {
  /** Finite, at least 0. */
  readonly usd: number
  /** Milliseconds: when the provider says the price was true. */
  readonly providerTime: number
  /** The exchange whose ticker gave the price; null or left out: the provider did. */
  readonly via?: Exchange | null
  /** True: the provider's, which replaces an exchange's that is not believed, whatever their times. */
  readonly overrules?: boolean
}

/**
 * Which part of the month's calls a request is counted in: what everybody's prices come by, or what was asked for on
 * demand, for a coin of some widget or for one that no widget has.
 */
export type CallShare = 'polling' | 'held' | 'asked'

/**
 * Purpose of a request, each with a budget of its own in the month's calls: `kinds` is a category of coins, `soon` is a spot price out of turn, `history` a
 * chart that somebody opens, `ready` a chart that this server reads by itself (for the pairs of the first visit), `closes`
 * the past year of a coin for Radar.
 */
export type CallPurpose = 'ping' | 'coins' | 'kinds' | 'prices' | 'soon' | 'history' | 'ready' | 'closes'
type HistoryPurpose = Extract<CallPurpose, 'history' | 'ready' | 'closes'>

/** Levels of history that a provider can be asked for, and how far back each reaches in milliseconds. */
export type Reach = Readonly<Partial<Record<Granularity, number>>>

/**
 * A source of prices. Each call is one request at most per page, is over within its time limit, and either
 * gives values that were checked or throws a ProviderError; a coin without a usable price is left out.
 */
export interface MarketProvider {
  readonly source: MarketSource
  readonly attribution: { readonly text: string; readonly url: string | null }
  readonly reach: Reach
  /** Ids in one call of `spotPrices`. */
  readonly mostIds: number
  /** Coins with a market rank, best first, at most `limit`. Ends, whatever the source answers. */
  listCoins(limit: number): Promise<readonly ListedCoin[]>
  /** Its categories of coins that stand for other money, those that count first in front. */
  readonly kindCategories: readonly { readonly kind: CoinKind; readonly category: string }[]
  /** Ids of the coins of a category, best rank first, at most a page of them. */
  categoryIds(category: string): Promise<readonly string[]>
  /**
   * Spot prices by coin id, at most `mostIds` of them; ids that it does not know are left out.
   * @param share `polling` where nothing else is said; what is asked for out of turn does without first
   */
  spotPrices(ids: readonly string[], share?: CallShare): Promise<ReadonlyMap<string, SpotPrice>>
  /**
   * As far back as `reach` says. Empty for a coin that was not traded. Times need not lie on bucket boundaries, and the
   * old end may be spaced more widely than the level.
   */
  history(id: string, granularity: Granularity, share?: CallShare, purpose?: HistoryPurpose): Promise<Series>
}

export type ProviderFailure =
  /** Said to be silent for a while. */
  | 'rate-limited'
  /** This month's calls are used up. */
  | 'budget'
  /** No answer in time, or no connection. */
  | 'unreachable'
  /** An error status. */
  | 'refused'
  /** An answer that is not what it should be. */
  | 'malformed'

/** The provider gave no usable answer. The stored rows stay as they are. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly failure: ProviderFailure
  /** Milliseconds to wait before asking again, where it said so. */
  readonly retryAfter: number | null

  constructor(
    failure: ProviderFailure,
    message: string,
    options: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.failure = failure
    this.retryAfter = options.retryAfter ?? null
  }
}
