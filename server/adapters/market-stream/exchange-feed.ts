import type { Exchange } from '../../../src/domain/exchanges'

/** A price from an exchange's ticker, not checked yet. */
export interface TickerPrice {
  /** The market, such as BTC/USD. */
  readonly symbol: string
  readonly usd: number
  /** Milliseconds: when the exchange says the price was true; null: it does not say. */
  readonly at: number | null
}

/** Called by a feed, never before `open` has returned. */
export interface FeedEvents {
  /** The exchange's spot markets, after each time the exchange was asked for them. */
  readonly markets: (symbols: readonly string[]) => void
  readonly ticks: (ticks: readonly TickerPrice[]) => void
  /** The connection could not be made or was lost; the feed tries again by itself. */
  readonly failed: (reason: string) => void
}

/** An open connection to an exchange, which heals by itself. */
export interface ExchangeFeed {
  /** Replaces the markets that ticks are wanted of, which are some of those that `markets` named. */
  watch(symbols: readonly string[]): void
  close(): Promise<void>
}

export type OpenFeed = (exchange: Exchange, events: FeedEvents) => ExchangeFeed

/** The thread is started with this, and posts the events. */
export interface FeedSetup {
  readonly exchange: Exchange
  /** Another address of the exchange's feed, ws: or wss:; its list of markets is then asked for at the same host. */
  readonly url: string | null
}
export interface ToFeed {
  readonly kind: 'watch'
  readonly symbols: readonly string[]
}
export type FromFeed =
  | { readonly kind: 'markets'; readonly symbols: readonly string[] }
  | { readonly kind: 'ticks'; readonly ticks: readonly TickerPrice[] }
  | { readonly kind: 'failed'; readonly reason: string }
