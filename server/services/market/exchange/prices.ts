import type { MarketSource } from '../../../../src/contract/market'
import { type Exchange, EXCHANGES } from '../../../../src/domain/exchanges'
import type { SpotPrice } from '../../../adapters/market-data/provider'
import type { OpenFeed, TickerPrice } from '../../../adapters/market-stream/exchange-feed'
import { startRounds } from '../../../waits'
import { idsOfWatched } from '../prices/watched-coins'
import type { KnownCoin } from '../coin-list'
import { matchMarkets } from './markets'
import { type ExchangeTrust, exchangeTrust } from './trust'
import type { FeedDeps, StorePrices } from '../feed'
import { EXCHANGE_SILENCE, readStoredPrices } from '../prices/stored-prices'

/** Prices are stored so often. Milliseconds. */
const STORE_EVERY_MS = 1_000
/** Coins that were added or removed are noticed after so long. Milliseconds. */
const WATCH_EVERY_MS = 10_000
/** Failures in a row after which the next exchange is tried, where there is a choice. */
const FAILURES_UNTIL_NEXT = 3

interface ExchangePricesDeps extends Omit<FeedDeps, 'provider'> {
  readonly source: MarketSource
  /** Tried in turn, at least one. */
  readonly exchanges: readonly Exchange[]
  readonly open: OpenFeed
  /** All that are known, best rank first. */
  readonly coins: () => Promise<readonly KnownCoin[]>
  readonly store: StorePrices
}

export type ExchangePrices = ReturnType<typeof exchangePrices>

/** The exchange's markets of watched coins, looked for anew now and then. */
function watchedMarkets({ pool, source, coins }: ExchangePricesDeps) {
  let markets: ReadonlySet<string> = new Set()
  let coinOf: ReadonlyMap<string, string> = new Map()
  let lookedAt = -Infinity
  return {
    coinOf: () => coinOf,
    /** Takes note of the markets that the exchange has. */
    offer: (symbols: readonly string[]): void => {
      markets = new Set(symbols)
      lookedAt = -Infinity
    },
    /** @returns whether it was time to look */
    look: async (now: number): Promise<boolean> => {
      if (Math.abs(now - lookedAt) < WATCH_EVERY_MS || markets.size === 0) return false
      lookedAt = now
      coinOf = matchMarkets(await coins(), new Set(await idsOfWatched(pool, source, now)), markets)
      return true
    },
  }
}

/** Logs once that live prices come, and once that they do not any more. */
function liveLog(exchange: Exchange, logger: FeedDeps['logger']) {
  const { name } = EXCHANGES[exchange]
  /** Null: nothing was heard yet. */
  let isLive: boolean | null = null
  return {
    isLost: () => isLive === false,
    lost: (reason: string): void => {
      logger?.[isLive === false ? 'debug' : 'warn']({ exchange, reason }, `no live prices from ${name} at the moment`)
      isLive = false
    },
    live: (markets: number): void => {
      if (isLive !== true) logger?.info({ exchange, markets }, `live prices come from ${name}`)
      isLive = true
    },
  }
}

/** Listens to an exchange until `signal` is aborted, or another one is to be tried. */
async function listen(
  deps: ExchangePricesDeps,
  exchange: Exchange,
  trust: ExchangeTrust,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger, exchanges, store } = deps
  const isChoice = exchanges.length > 1
  const ended = new AbortController()
  const end = () => ended.abort()
  const markets = watchedMarkets(deps)
  const log = liveLog(exchange, logger)
  let heardAt = clock()
  let failures = 0

  function receive(ticks: readonly TickerPrice[]): void {
    const now = clock()
    const coinOf = markets.coinOf()
    const used = ticks.filter(({ symbol, usd, at }) => {
      const coin = coinOf.get(symbol)
      return coin !== undefined && trust.take(coin, { usd, at }, now)
    })
    if (used.length === 0) return
    heardAt = now
    failures = 0
    log.live(coinOf.size)
  }

  const feed = deps.open(exchange, {
    markets: markets.offer,
    ticks: receive,
    failed: (reason) => {
      failures += 1
      log.lost(reason)
      if (isChoice && failures >= FAILURES_UNTIL_NEXT) end()
    },
  })

  async function round(): Promise<void> {
    const now = clock()
    const wasEmpty = markets.coinOf().size === 0
    if (await markets.look(now)) {
      if (wasEmpty) heardAt = now
      feed.watch([...markets.coinOf().keys()])
    }
    const prices = trust.drain()
    if (prices.size > 0) await store(withExchange(prices, exchange), { history: true })
    if (markets.coinOf().size > 0 && now - heardAt > EXCHANGE_SILENCE && !log.isLost()) {
      log.lost(`nothing that can be used was heard for ${EXCHANGE_SILENCE / 1000} s`)
      if (isChoice) end()
    }
  }
  const rounds = startRounds(STORE_EVERY_MS, round, (error) => {
    logger?.error({ err: error }, 'live prices could not be stored')
  })
  await aborted(AbortSignal.any([signal, ended.signal]))
  await Promise.all([rounds.stop(), feed.close()])
}

/** Brings in the prices of an exchange beside the provider's, for the coins that are held or asked for (decision 0134). */
export function exchangePrices(deps: ExchangePricesDeps) {
  const { pool, source, clock, logger, exchanges } = deps
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

  return {
    /** Notes prices that the provider gave to this process. @returns them, as they are to be stored */
    note,

    /** Listens until `signal` is aborted. */
    run: async (signal: AbortSignal): Promise<void> => {
      // A price that the provider gave before this start is a reference until the first poll.
      note(await readStoredPrices(pool, source))
      for (let turn = 0; !signal.aborted; turn++) {
        trust.forgetExchange()
        await listen(deps, exchanges[turn % exchanges.length]!, trust, signal)
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
