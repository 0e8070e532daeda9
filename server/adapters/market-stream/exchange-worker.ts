import { parentPort, workerData } from 'node:worker_threads'
import type { FeedSetup, FromFeed, TickerPrice, ToFeed } from './exchange-feed'
import { setTimeout as delay } from 'node:timers/promises'
import type { Exchange as CcxtExchange } from 'ccxt'
import { messageOf } from '../../../src/domain/error-message'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import { type FeedEvent, type FeedState, initialFeed, reduceFeed } from './ticker-state'

/** Ticks are gathered for so long. Milliseconds. */
const GATHER_MS = 250
const PAUSES = { first: 1_000, growth: 2, longest: MINUTE }
/** Markets that come and go are learnt of in so many milliseconds. */
const MARKETS_MAX_AGE_MS = 6 * HOUR

const marketsOf = (exchange: CcxtExchange) =>
  Object.values(exchange.markets ?? {}).flatMap((market) => (market === undefined ? [] : [market]))

/** The spot markets that can be traded, as ccxt spells them. */
const spotSymbols = (exchange: CcxtExchange): string[] =>
  marketsOf(exchange).flatMap(({ spot, active, symbol }) => (spot === true && active !== false ? [symbol] : []))

/** Prices that have come since `posted`, which learns them; ccxt keeps the latest ticker of each market. */
function newTicks(exchange: CcxtExchange, watched: ReadonlySet<string>, posted: Map<string, unknown>): TickerPrice[] {
  const ticks: TickerPrice[] = []
  for (const symbol of watched) {
    const ticker = exchange.tickers[symbol]
    if (ticker === undefined || posted.get(symbol) === ticker) continue
    posted.set(symbol, ticker)
    // ccxt leaves out Kraken's time, which the message has.
    const at = ticker.timestamp ?? Date.parse(String((ticker.info as { timestamp?: unknown })?.timestamp))
    if (typeof ticker.last === 'number') ticks.push({ symbol, usd: ticker.last, at: Number.isFinite(at) ? at : null })
  }
  return ticks
}

/** Keeps the state, and tells of each change of it. */
function feedMachine() {
  let state: FeedState = initialFeed
  let changed: (before: FeedState) => void = () => undefined
  const dispatch = (event: FeedEvent): void => {
    const before = state
    state = reduceFeed(before, event)
    changed(before)
  }
  return {
    state: () => state,
    dispatch,
    onChange: (listener: (before: FeedState) => void): void => {
      changed = listener
    },
    /** @param connection number of the one that failed */
    lose: (error: unknown, connection = state.connection): void =>
      dispatch({ kind: 'lost', connection, reason: messageOf(error) }),
  }
}

type FeedMachine = ReturnType<typeof feedMachine>

/** Keeps subscribed to what the state says is watched, until it is apart. @param renew learns of markets that come and go */
async function follow(
  exchange: CcxtExchange,
  machine: FeedMachine,
  post: (message: FromFeed) => void,
  renew: () => Promise<void>,
): Promise<void> {
  const { state, dispatch, lose } = machine
  const posted = new Map<string, unknown>(Object.entries(exchange.tickers))
  const gather = () => {
    const now = state()
    const ticks = now.kind === 'following' ? newTicks(exchange, now.watched, posted) : []
    if (ticks.length > 0) post({ kind: 'ticks', ticks })
    dispatch({ kind: 'gathered', ticks: ticks.length, now: performance.now() })
  }
  async function keep(symbols: string[]): Promise<never> {
    for (;;) await exchange.watchTickers(symbols)
  }

  const gathering = setInterval(gather, GATHER_MS)
  const renewing = setInterval(() => void renew().catch(lose), HOUR)
  await new Promise<void>((resolve) => {
    machine.onChange((before) => {
      const now = state()
      if (now.kind === 'apart') return resolve()
      const added = [...now.watched].filter((symbol) => before.kind === 'apart' || !before.watched.has(symbol))
      if (added.length > 0) keep(added).catch((error: unknown) => lose(error, now.connection))
    })
    dispatch({ kind: 'connected', now: performance.now() })
  })
  machine.onChange(() => undefined)
  clearInterval(gathering)
  clearInterval(renewing)
}

/** Watches tickers of an exchange by ccxt, and connects again whenever that fails. */
function tickerConnection(setup: FeedSetup, post: (message: FromFeed) => void) {
  const machine = feedMachine()
  const { state, dispatch } = machine
  let marketsAt = -Infinity

  async function loadMarkets(exchange: CcxtExchange): Promise<void> {
    if (performance.now() - marketsAt < MARKETS_MAX_AGE_MS) return
    // Without `true` ccxt would give the first answer for ever, even where that was a failure.
    await exchange.loadMarkets(true)
    marketsAt = performance.now()
    const markets = new Map(marketsOf(exchange).map(({ symbol, id }) => [symbol, id]))
    dispatch({ kind: 'markets', markets, now: marketsAt })
    post({ kind: 'markets', symbols: spotSymbols(exchange) })
  }

  return {
    watch: (symbols: readonly string[]): void => dispatch({ kind: 'wanted', symbols, now: performance.now() }),
    /** Gives up the present connection and makes another. */
    fail: (error: unknown): void => machine.lose(error),

    run: async (): Promise<never> => {
      let exchange: CcxtExchange | null = null
      for (;;) {
        try {
          exchange ??= await connectTo(setup)
          const connected = exchange
          await loadMarkets(connected)
          await follow(connected, machine, post, () => loadMarkets(connected))
        } catch (error) {
          dispatch({ kind: 'unreachable', reason: messageOf(error) })
        }
        await exchange?.close().catch(() => undefined)
        const now = state()
        if (now.kind === 'following' || now.reason === null) continue
        post({ kind: 'failed', reason: now.reason })
        // Servers that lost an exchange at the same moment must not come back in the same.
        await delay(pauseAfter(now.failures, PAUSES) * (0.5 + Math.random()))
      }
    },
  }
}

/** ccxt's object for the exchange, not connected yet. Fetches prices and markets alone, so it has no key. */
async function connectTo({ exchange, url }: FeedSetup): Promise<CcxtExchange> {
  const { pro } = (await import('ccxt')).default
  switch (exchange) {
    case 'kraken': {
      const kraken = new pro.kraken()
      return at(url, kraken, (feed, list) => {
        kraken.urls.api.ws.publicV2 = feed
        kraken.urls.api.public = list
      })
    }
    case 'coinbase': {
      // The exchange's own feed; the one of ccxt's `coinbase` asks for a key.
      const coinbase = new pro.coinbaseexchange()
      return at(url, coinbase, (feed, list) => {
        coinbase.urls.api.ws = feed
        coinbase.urls.api.public = list
      })
    }
    case 'binance': {
      const options = { fetchMarkets: { types: ['spot'] }, watchTickers: { name: 'miniTicker' } }
      const binance = new pro.binance({ options })
      return at(url, binance, (feed, list) => {
        binance.urls.api.ws.spot = feed
        binance.urls.api.public = `${list}/api/v3`
      })
    }
  }
}

/**
 * Has the exchange reached at another address, if there is one.
 * @param place puts the address of the feed, and the origin that the list of markets is asked for at
 */
async function at(
  url: string | null,
  exchange: CcxtExchange,
  place: (feed: string, list: string) => void,
): Promise<CcxtExchange> {
  if (url === null) return exchange
  const { protocol, host } = new URL(url)
  place(url, `${protocol === 'wss:' ? 'https:' : 'http:'}//${host}`)
  // Until this was called, ccxt refuses ws: without encryption.
  await exchange.loadHttpProxyAgent()
  return exchange
}

/* The thread of an exchange's feed. ccxt is imported here alone: its exports give all of its exchanges at once. */

const port = parentPort
if (port === null) throw new Error('This file runs as a thread')
const connection = tickerConnection(workerData as FeedSetup, (message: FromFeed) => port.postMessage(message))
port.on('message', ({ symbols }: ToFeed) => connection.watch(symbols))
// ccxt rejects promises that nobody waits for any more; the connection is then made anew.
process.on('unhandledRejection', (error) => connection.fail(error))
await connection.run()
