import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { MarketSource } from '../../../../src/contract/market'
import { type Exchange, EXCHANGES } from '../../../../src/domain/exchanges'
import type { SpotPrice } from '../../../adapters/market-data/provider'
import type { ExchangeFeed, OpenFeed, TickerPrice } from '../../../adapters/market-stream/exchange-feed'
import { startRounds } from '../../../waits'
import { askedCoins, heldCoins, MAX_HELD } from '../prices/watched-coins'
import type { KnownCoin } from '../coin-list'
import { matchMarkets } from './markets'
import { exchangeTrust } from './trust'
import type { StorePrices } from '../feed'
import { EXCHANGE_SILENCE, readStoredPrices } from '../prices/stored-prices'

/** Prices are stored so often. Milliseconds. */
const STORE_EVERY_MS = 1_000
/** Coins that were added or removed are noticed after so long. Milliseconds. */
const WATCH_EVERY_MS = 10_000
/** Failures in a row after which the next exchange is tried, where there is a choice. */
const FAILURES_UNTIL_NEXT = 3

interface ExchangePricesDeps {
  readonly pool: Pool
  readonly source: MarketSource
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
  /** Tried in turn, at least one. */
  readonly exchanges: readonly Exchange[]
  readonly open: OpenFeed
  /** All that are known, best rank first. */
  readonly coins: () => Promise<readonly KnownCoin[]>
  readonly store: StorePrices
}

export type ExchangePrices = ReturnType<typeof exchangePrices>

/** Brings in the prices of an exchange beside the provider's, for the coins that are held or asked for (decision 0134). */
export function exchangePrices(deps: ExchangePricesDeps) {
  const { pool, source, clock, logger, exchanges, open, coins, store } = deps
  const trust = exchangeTrust(({ coin, trusted, usd, reference }) => {
    const fields = { coin, usd, reference }
    if (trusted) logger?.info(fields, 'the exchange’s price of a coin agrees again, and is used')
    else logger?.warn(fields, 'the exchange’s price of a coin is too far from the provider’s, which is used instead')
  })

  const note = (prices: ReadonlyMap<string, SpotPrice>): ReadonlyMap<string, SpotPrice> => {
    const now = clock()
    return new Map(
      Array.from(prices, ([coin, price]) => {
        if (price.via != null) return [coin, price]
        trust.reference(coin, price.usd, now)
        return [coin, trust.isDistrusted(coin) ? { ...price, overrules: true } : price]
      }),
    )
  }

  async function watchedCoins(): Promise<ReadonlySet<string>> {
    const held = await heldCoins(pool, source)
    return new Set([...held, ...(await askedCoins(pool, source, held, clock(), MAX_HELD))])
  }

  /** Listens to an exchange until `signal` is aborted, or another one is to be tried. */
  async function listen(exchange: Exchange, signal: AbortSignal): Promise<void> {
    const { name } = EXCHANGES[exchange]
    const isChoice = exchanges.length > 1
    const ended = new AbortController()
    const end = () => ended.abort()
    signal.addEventListener('abort', end)
    let markets: ReadonlySet<string> = new Set()
    let coinOf: ReadonlyMap<string, string> = new Map()
    let watchedAt = -Infinity
    let heardAt = clock()
    let failures = 0
    /** Null: nothing was heard yet. */
    let isLive: boolean | null = null

    function lost(reason: string): void {
      logger?.[isLive === false ? 'debug' : 'warn']({ exchange, reason }, `no live prices from ${name} at the moment`)
      isLive = false
    }
    function receive(ticks: readonly TickerPrice[]): void {
      const now = clock()
      const used = ticks.filter(({ symbol, usd, at }) => {
        const coin = coinOf.get(symbol)
        return coin !== undefined && trust.take(coin, { usd, at }, now)
      })
      if (used.length === 0) return
      heardAt = now
      failures = 0
      if (isLive !== true) logger?.info({ exchange, markets: coinOf.size }, `live prices come from ${name}`)
      isLive = true
    }

    const feed: ExchangeFeed = open(exchange, {
      markets: (symbols) => {
        markets = new Set(symbols)
        watchedAt = -Infinity
      },
      ticks: receive,
      failed: (reason) => {
        failures += 1
        lost(reason)
        if (isChoice && failures >= FAILURES_UNTIL_NEXT) end()
      },
    })

    async function round(): Promise<void> {
      const now = clock()
      if (Math.abs(now - watchedAt) >= WATCH_EVERY_MS && markets.size > 0) {
        watchedAt = now
        if (coinOf.size === 0) heardAt = now
        coinOf = matchMarkets(await coins(), await watchedCoins(), markets)
        feed.watch([...coinOf.keys()])
      }
      const prices = trust.drain()
      if (prices.size > 0) await store(withExchange(prices, exchange), { history: true })
      if (coinOf.size > 0 && now - heardAt > EXCHANGE_SILENCE && isLive !== false) {
        lost(`nothing that can be used was heard for ${EXCHANGE_SILENCE / 1000} s`)
        if (isChoice) end()
      }
    }
    const rounds = startRounds(STORE_EVERY_MS, round, (error) => {
      logger?.error({ err: error }, 'live prices could not be stored')
    })
    if (signal.aborted) end()
    await aborted(ended.signal)
    signal.removeEventListener('abort', end)
    await Promise.all([rounds.stop(), feed.close()])
  }

  return {
    /** Notes prices that the provider gave to this process. @returns them, as they are to be stored */
    note,

    /** Listens until `signal` is aborted. */
    run: async (signal: AbortSignal): Promise<void> => {
      // A price that the provider gave before this start is a reference until the first poll.
      note(await readStoredPrices(pool, source))
      for (let turn = 0; !signal.aborted; turn++) {
        trust.forgetExchange()
        await listen(exchanges[turn % exchanges.length]!, signal)
      }
    },
  }
}

const withExchange = (prices: ReadonlyMap<string, SpotPrice>, via: Exchange): ReadonlyMap<string, SpotPrice> =>
  new Map(Array.from(prices, ([coin, price]) => [coin, { ...price, via }]))

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
