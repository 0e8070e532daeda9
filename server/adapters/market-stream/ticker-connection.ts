import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange as CcxtExchange } from 'ccxt'
import { messageOf } from '../../../src/domain/error-message'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import { connectTo } from './ccxt-exchanges'
import type { FeedSetup, FromFeed, TickerPrice } from './exchange-feed'

/** Ticks are gathered for so long. Milliseconds. */
const GATHER_MS = 250
/** A connection that watches markets and hears of none for so long is made anew. Milliseconds. */
const SILENCE_MS = MINUTE
const PAUSES = { first: 1_000, growth: 2, longest: MINUTE }
/** Markets that come and go are learnt of in so many milliseconds. */
const MARKETS_MAX_AGE_MS = 6 * HOUR
/** Watched markets that are no longer wanted are borne up to this number; then the connection is made anew without them. */
const MAX_UNWANTED = 20

/** The spot markets that can be traded, as ccxt spells them. */
const spotSymbols = (exchange: CcxtExchange): string[] =>
  Object.values(exchange.markets ?? {}).flatMap((market) =>
    market !== undefined && market.spot === true && market.active !== false ? [market.symbol] : [],
  )

/** Watches tickers of an exchange by ccxt, and connects again whenever that fails. */
export function tickerConnection(setup: FeedSetup, post: (message: FromFeed) => void) {
  let exchange: CcxtExchange | null = null
  let wanted: readonly string[] = []
  let connected: { readonly watch: () => void; readonly fail: (error: unknown) => void } | null = null
  /** Markets that the exchange refused, until its list of markets is fetched again. */
  const refused = new Set<string>()
  let heard = false
  let marketsAt = -Infinity

  async function loadMarkets(exchange: CcxtExchange): Promise<void> {
    if (performance.now() - marketsAt < MARKETS_MAX_AGE_MS) return
    // Without `true` ccxt would give the first answer for ever, even where that was a failure.
    await exchange.loadMarkets(true)
    marketsAt = performance.now()
    refused.clear()
    post({ kind: 'markets', symbols: spotSymbols(exchange) })
  }

  /** Watches until something fails. @throws what failed */
  async function follow(exchange: CcxtExchange): Promise<never> {
    const watched = new Set<string>()
    const posted = new Map<string, unknown>()
    let heardAt = performance.now()
    let fail: (error: unknown) => void = () => undefined
    const failed = new Promise<never>((_, reject) => {
      fail = reject
    })

    /** Keeps a group subscribed; ccxt keeps the latest ticker of each market, from where `gather` takes it. */
    async function keep(symbols: string[]): Promise<never> {
      for (;;) await exchange.watchTickers(symbols)
    }

    const watch = () => {
      const now = wanted.filter((symbol) => exchange.markets?.[symbol] !== undefined && !refused.has(symbol))
      if (watched.size - now.filter((symbol) => watched.has(symbol)).length > MAX_UNWANTED) return fail(ANEW)
      const added = now.filter((symbol) => !watched.has(symbol))
      if (added.length === 0) return
      if (watched.size === 0) heardAt = performance.now()
      for (const symbol of added) watched.add(symbol)
      keep(added).catch(fail)
    }

    function gather() {
      const ticks: TickerPrice[] = []
      for (const symbol of watched) {
        const ticker = exchange.tickers[symbol]
        if (ticker === undefined || posted.get(symbol) === ticker) continue
        posted.set(symbol, ticker)
        // ccxt leaves out Kraken's time, which the message has.
        const at = ticker.timestamp ?? Date.parse(String((ticker.info as { timestamp?: unknown })?.timestamp))
        if (typeof ticker.last === 'number')
          ticks.push({ symbol, usd: ticker.last, at: Number.isFinite(at) ? at : null })
      }
      if (ticks.length > 0) {
        heard = true
        heardAt = performance.now()
        post({ kind: 'ticks', ticks })
      } else if (watched.size > 0 && performance.now() - heardAt > SILENCE_MS) {
        fail(new Error(`nothing was heard for ${SILENCE_MS / 1000} s`))
      }
    }

    for (const [symbol, ticker] of Object.entries(exchange.tickers)) posted.set(symbol, ticker)
    const gathering = setInterval(gather, GATHER_MS)
    const renewing = setInterval(() => void loadMarkets(exchange).then(watch, fail), HOUR)
    connected = { watch, fail }
    try {
      watch()
      return await failed
    } finally {
      connected = null
      clearInterval(gathering)
      clearInterval(renewing)
    }
  }

  /** Leaves out the market that an exchange refused by name: the others must not go without prices for it. */
  function noteRefused(exchange: CcxtExchange, message: string): boolean {
    const named = wanted.filter((symbol) => {
      const id = exchange.markets?.[symbol]?.id
      return (
        !refused.has(symbol) &&
        [id, symbol].some((name) => name !== undefined && message.split(/[\s,"']+/).includes(name))
      )
    })
    for (const symbol of named) refused.add(symbol)
    return named.length > 0
  }

  return {
    watch: (symbols: readonly string[]): void => {
      wanted = symbols
      connected?.watch()
    },
    /** Gives up the present connection and makes another. */
    fail: (error: unknown): void => connected?.fail(error),

    run: async (): Promise<never> => {
      for (let failures = 0; ;) {
        heard = false
        try {
          exchange ??= await connectTo(setup)
          await loadMarkets(exchange)
          await follow(exchange)
        } catch (error) {
          await exchange?.close().catch(() => undefined)
          if (error === ANEW) continue
          const reason = messageOf(error)
          failures = heard ? 1 : failures + 1
          post({ kind: 'failed', reason })
          if (exchange !== null && noteRefused(exchange, reason)) failures = 1
          // Servers that lost an exchange at the same moment must not come back in the same.
          await delay(pauseAfter(failures, PAUSES) * (0.5 + Math.random()))
        }
      }
    },
  }
}

const ANEW = Symbol('the markets that are wanted have changed')
