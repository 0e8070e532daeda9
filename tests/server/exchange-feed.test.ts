import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ExchangeFeed, TickerPrice } from '../../server/adapters/market-stream/exchange-feed'
import { exchangeThreads } from '../../server/adapters/market-stream/exchange-thread'
import type { Exchange } from '../../src/domain/exchanges'
import { exchangeStandIn, type ExchangeStandIn } from './support/exchange-stand-in'
import { testProgramFiles } from './support/program-files'

/* ccxt in its thread, between a local exchange that speaks the real wire format and the server. */

let exchange: ExchangeStandIn
let feed: ExchangeFeed | null = null
const ticks: TickerPrice[] = []
const failures: string[] = []
let markets: readonly string[] = []

beforeEach(() => {
  ticks.length = 0
  failures.length = 0
})

async function close(): Promise<void> {
  await feed?.close()
  feed = null
  await exchange.close()
  markets = []
}

async function open(name: Exchange, symbols: readonly string[]): Promise<void> {
  exchange = await exchangeStandIn(name, symbols)
  const openFeed = exchangeThreads(testProgramFiles().exchangeWorker, exchange.url)
  feed = openFeed(name, {
    markets: (symbols) => {
      markets = symbols
    },
    ticks: (some) => void ticks.push(...some),
    failed: (reason) => void failures.push(reason),
  })
}

const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 20 })
const prices = (symbol: string) => ticks.filter((tick) => tick.symbol === symbol).map(({ usd }) => usd)

const cases: readonly (readonly [Exchange, string, string])[] = [
  ['kraken', 'BTC/USD', 'DOGE/USD'],
  ['coinbase', 'BTC/USD', 'ETH/USD'],
  ['binance', 'BTC/USDT', 'ETH/USDC'],
]

describe.each(cases)('feed of %s', (name, first, second) => {
  // One thread for the three: to load ccxt takes a second of processor time.
  beforeAll(() => open(name, [first, second, 'LTC/BTC']))
  afterAll(close)

  test(`a thread with ccxt reads the markets and tickers of ${name}'s wire format, and subscribes to the watched markets alone`, async () => {
    await soon(() => expect(markets.toSorted()).toEqual([first, second, 'LTC/BTC'].toSorted()))
    feed!.watch([first])
    await soon(() => expect(exchange.subscribed()).toEqual([first]))
    const at = Date.now() - 1_000
    exchange.tick(first, 108_359.8, at)
    await soon(() => expect(ticks).toEqual([{ symbol: first, usd: 108_359.8, at }]))

    feed!.watch([first, second])
    await soon(() => expect(exchange.subscribed()).toEqual([first, second].toSorted()))
    exchange.tick(second, 0.0000061, at)
    await soon(() => expect(prices(second)).toEqual([0.0000061]))
  })

  test(`a connection to ${name} that is cut is made again with the same subscriptions, and the cut is reported`, async () => {
    feed!.watch([first, second])
    await soon(() => expect(exchange.subscribed()).toHaveLength(2))
    exchange.drop()
    await soon(() => expect(failures).not.toEqual([]))
    await soon(() => expect(exchange.subscribed()).toHaveLength(2))
    exchange.tick(first, 5)
    await soon(() => expect(prices(first)).toEqual([5]))
  })

  test(`messages of ${name} that are no JSON, no ticker or no number end neither the thread nor the other tickers`, async () => {
    feed!.watch([first, second])
    await soon(() => expect(exchange.subscribed()).toHaveLength(2))
    for (const price of [null, 'NaN', 'Infinity', '', {}, -1, 0]) exchange.tick(first, price)
    exchange.send('{"channel":"ticker","type":"update","data":[]}')
    exchange.send('[]')
    exchange.send('<html>')
    // The connection may be made anew meanwhile.
    await soon(() => {
      exchange.tick(second, 7)
      expect(prices(second)).toContain(7)
    })
    expect(prices(first).filter((usd) => Number.isFinite(usd) && usd > 0)).toEqual([])
  })
})

describe('faults of an exchange', () => {
  afterEach(close)

  test('a market that coinbase refuses is left out, and the others are subscribed to', async () => {
    await open('coinbase', ['BTC/USD', 'ETH/USD'])
    exchange.refuse('ETH/USD')
    await soon(() => expect(markets).toHaveLength(2))
    feed!.watch(['BTC/USD', 'ETH/USD'])
    await soon(() => expect(exchange.subscribed()).toEqual(['BTC/USD']))
    exchange.tick('BTC/USD', 5)
    await soon(() => expect(prices('BTC/USD')).toEqual([5]))
  })

  test('an exchange that cannot be reached at first is tried again until it answers', async () => {
    await open('kraken', ['BTC/USD'])
    exchange.down(true)
    await soon(() => expect(failures).not.toEqual([]))
    exchange.down(false)
    await soon(() => expect(markets).toEqual(['BTC/USD']))
  })
})
