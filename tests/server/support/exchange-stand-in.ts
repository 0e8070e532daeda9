import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Exchange } from '../../../src/domain/exchanges'

/** A ticker message. Prices are `unknown` where a broken exchange sends no number. */
interface StandInTick {
  /** As the exchange's own words for it are made of: BTC/USD. */
  readonly symbol: string
  readonly price: unknown
  /** Milliseconds. */
  readonly at: number
}

export interface ExchangeStandIn {
  /** MARKET_STREAM_URL. */
  readonly url: string
  /** Markets that are subscribed to at the moment. */
  readonly subscribed: () => readonly string[]
  /** Connections of the feed so far. */
  readonly connections: () => number
  /** Requests for the list of markets so far. */
  readonly listed: () => number
  /** Sends a ticker to those who subscribed to its market; without an explicit time, of now. */
  tick(symbol: string, price: unknown, at?: number): void
  /** Sends a text as it is. */
  send(text: string): void
  /** Cuts all connections as a crash does. */
  drop(): void
  /** Subscriptions to this market are refused, though the list has it. */
  refuse(symbol: string): void
  /** While true, the list of markets is answered with 503 and connections are refused. */
  down(isDown: boolean): void
  close(): Promise<void>
}

/** A subscription in the words of one of the exchanges. */
interface Subscribe {
  readonly method?: string
  readonly type?: string
  readonly req_id?: number
  readonly id?: number
  readonly params?: { readonly symbol?: readonly string[] } & Iterable<string>
  readonly product_ids?: readonly string[]
}

interface Dialect {
  /** Answers the requests by which ccxt learns of the markets; null: no such path. */
  list(path: string, symbols: readonly string[]): unknown
  /** Messages that the exchange sends to a new connection. */
  readonly greeting: readonly object[]
  /** The markets that a message subscribes to; null: it is no such message. */
  subscription(message: Subscribe, symbols: readonly string[]): readonly string[] | null
  confirm(message: Subscribe, symbols: readonly string[]): readonly object[]
  refuse(message: Subscribe, symbol: string): object
  ticker(tick: StandInTick): object
}

const [base, quote] = [(symbol: string) => symbol.split('/')[0]!, (symbol: string) => symbol.split('/')[1]!]
const assets = (symbols: readonly string[]) => [...new Set(symbols.flatMap((symbol) => symbol.split('/')))]
const iso = (at: number) => new Date(at).toISOString()
const iso6 = (at: number) => iso(at).replace('Z', '123Z')

/* The shapes are those of docs.kraken.com/api (WebSocket v2), of docs.cdp.coinbase.com/exchange and of
   developers.binance.com (spot streams), with the members that the documents show. */

const krakenAsset = (asset: string) => ({ BTC: 'XXBT', USD: 'ZUSD', ETH: 'XETH', DOGE: 'XXDG' })[asset] ?? asset
const krakenAltname = (asset: string) => ({ BTC: 'XBT', DOGE: 'XDG' })[asset] ?? asset

const kraken: Dialect = {
  list: (path, symbols) => {
    if (path === '/0/public/Assets') {
      const row = (asset: string) => ({
        aclass: 'currency',
        altname: krakenAltname(asset),
        decimals: 10,
        display_decimals: 5,
        status: 'enabled',
      })
      return { error: [], result: Object.fromEntries(assets(symbols).map((asset) => [krakenAsset(asset), row(asset)])) }
    }
    if (path !== '/0/public/AssetPairs') return null
    const row = (symbol: string) => ({
      altname: krakenAltname(base(symbol)) + quote(symbol),
      wsname: `${krakenAltname(base(symbol))}/${quote(symbol)}`,
      aclass_base: 'currency',
      base: krakenAsset(base(symbol)),
      aclass_quote: 'currency',
      quote: krakenAsset(quote(symbol)),
      lot: 'unit',
      cost_decimals: 5,
      pair_decimals: 1,
      lot_decimals: 8,
      lot_multiplier: 1,
      leverage_buy: [],
      leverage_sell: [],
      fees: [[0, 0.4]],
      fees_maker: [[0, 0.25]],
      fee_volume_currency: 'ZUSD',
      margin_call: 80,
      margin_stop: 40,
      ordermin: '0.00005',
      costmin: '0.5',
      tick_size: '0.1',
      status: 'online',
    })
    const key = (symbol: string) => krakenAsset(base(symbol)) + krakenAsset(quote(symbol))
    return { error: [], result: Object.fromEntries(symbols.map((symbol) => [key(symbol), row(symbol)])) }
  },
  greeting: [
    {
      channel: 'status',
      data: [
        { api_version: 'v2', connection_id: 12393906104898154338n.toString(), system: 'online', version: '2.0.4' },
      ],
      type: 'update',
    },
  ],
  subscription: (message) => (message.method === 'subscribe' ? (message.params?.symbol ?? []) : null),
  confirm: (message, symbols) =>
    symbols.map((symbol) => ({
      method: 'subscribe',
      req_id: message.req_id,
      result: { channel: 'ticker', event_trigger: 'trades', snapshot: true, symbol },
      success: true,
      time_in: iso6(Date.now()),
      time_out: iso6(Date.now()),
    })),
  refuse: (message, symbol) => ({
    error: `Currency pair not supported ${symbol}`,
    method: 'subscribe',
    req_id: message.req_id,
    success: false,
    symbol,
    time_in: iso6(Date.now()),
    time_out: iso6(Date.now()),
  }),
  ticker: ({ symbol, price, at }) => ({
    channel: 'ticker',
    type: 'update',
    data: [
      {
        symbol,
        bid: price,
        bid_qty: 0.01362603,
        ask: price,
        ask_qty: 17.17988863,
        last: price,
        volume: 2158.32346723,
        vwap: price,
        low: price,
        high: price,
        change: -2679.9,
        change_pct: -2.41,
        timestamp: iso6(at),
      },
    ],
  }),
}

const coinbase: Dialect = {
  list: (path, symbols) => {
    if (path === '/currencies') {
      return assets(symbols).map((id) => ({
        id,
        name: id,
        min_size: '0.00000001',
        status: 'online',
        message: '',
        max_precision: '0.00000001',
        convertible_to: [],
        details: { type: 'crypto', symbol: null, network_confirmations: 2, push_payment_methods: ['crypto'] },
        default_network: '',
        supported_networks: [],
      }))
    }
    if (path !== '/products') return null
    return symbols.map((symbol) => ({
      id: symbol.replace('/', '-'),
      base_currency: base(symbol),
      quote_currency: quote(symbol),
      quote_increment: '0.01',
      base_increment: '0.00000001',
      display_name: symbol.replace('/', '-'),
      min_market_funds: '1',
      margin_enabled: false,
      post_only: false,
      limit_only: false,
      cancel_only: false,
      status: 'online',
      status_message: '',
      trading_disabled: false,
      fx_stablecoin: false,
      max_slippage_percentage: '0.02000000',
      auction_mode: false,
      high_bid_limit_percentage: '',
    }))
  },
  greeting: [],
  subscription: (message) =>
    message.type === 'subscribe' ? (message.product_ids ?? []).map((id) => id.replace('-', '/')) : null,
  confirm: (_message, symbols) => [
    {
      type: 'subscriptions',
      channels: [{ name: 'ticker', product_ids: symbols.map((symbol) => symbol.replace('/', '-')), account_ids: null }],
    },
  ],
  refuse: (_message, symbol) => ({
    type: 'error',
    message: 'Failed to subscribe',
    reason: `${symbol.replace('/', '-')} is not a valid product`,
  }),
  ticker: ({ symbol, price, at }) => ({
    type: 'ticker',
    sequence: 37475248783,
    product_id: symbol.replace('/', '-'),
    price: String(price),
    open_24h: '1310.79',
    volume_24h: '245532.79269678',
    low_24h: '1280.52',
    high_24h: '1313.8',
    volume_30d: '9788783.60117027',
    best_bid: String(price),
    best_bid_size: '0.46688654',
    best_ask: String(price),
    best_ask_size: '1.56637040',
    side: 'buy',
    time: iso6(at),
    trade_id: 370843401,
    last_size: '11.4396987',
  }),
}

const binance: Dialect = {
  list: (path, symbols) =>
    path !== '/api/v3/exchangeInfo'
      ? null
      : {
          timezone: 'UTC',
          serverTime: Date.now(),
          rateLimits: [],
          exchangeFilters: [],
          symbols: symbols.map((symbol) => ({
            symbol: symbol.replace('/', ''),
            status: 'TRADING',
            baseAsset: base(symbol),
            baseAssetPrecision: 8,
            quoteAsset: quote(symbol),
            quotePrecision: 8,
            quoteAssetPrecision: 8,
            orderTypes: ['LIMIT', 'MARKET'],
            isSpotTradingAllowed: true,
            isMarginTradingAllowed: true,
            filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' }],
            permissions: [],
            permissionSets: [['SPOT']],
          })),
        },
  greeting: [],
  subscription: (message, symbols) =>
    message.method === 'SUBSCRIBE'
      ? Array.from(message.params ?? [], (stream) => {
          const id = stream.replace('@miniTicker', '').toUpperCase()
          return symbols.find((symbol) => symbol.replace('/', '') === id) ?? id
        })
      : null,
  confirm: (message) => [{ result: null, id: message.id }],
  refuse: (message, symbol) => ({
    error: { code: 2, msg: `Invalid request: unknown symbol ${symbol.replace('/', '')}` },
    id: message.id,
  }),
  ticker: ({ symbol, price, at }) => ({
    e: '24hrMiniTicker',
    E: at,
    s: symbol.replace('/', ''),
    c: String(price),
    o: '0.0010',
    h: '0.0025',
    l: '0.0010',
    v: '10000',
    q: '18',
  }),
}

const DIALECTS = { kraken, coinbase, binance } satisfies Record<Exchange, Dialect>

/** A local exchange that speaks the wire format of a real one, on HTTP and WebSocket. @param symbols such as BTC/USD */
export async function exchangeStandIn(exchange: Exchange, symbols: readonly string[]): Promise<ExchangeStandIn> {
  const dialect = DIALECTS[exchange]
  const sockets = new Map<WebSocket, Set<string>>()
  const refused = new Set<string>()
  let connections = 0
  let listed = 0
  let isDown = false

  const answer = (path: string, response: ServerResponse) => {
    const body = isDown ? null : dialect.list(path, symbols)
    listed += 1
    response.writeHead(isDown ? 503 : body === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  }
  const server = createServer((request, response) =>
    answer(new URL(request.url ?? '/', 'http://host').pathname, response),
  )
  const feed = new WebSocketServer({ server, verifyClient: () => !isDown })
  feed.on('connection', (socket) => {
    const mine = new Set<string>()
    sockets.set(socket, mine)
    connections += 1
    socket.on('close', () => sockets.delete(socket))
    const say = (...messages: readonly object[]) => {
      for (const message of messages) socket.send(JSON.stringify(message))
    }
    say(...dialect.greeting)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Subscribe
      const wanted = dialect.subscription(message, symbols)
      if (wanted === null) return
      const bad = wanted.find((symbol) => refused.has(symbol))
      if (bad !== undefined) return say(dialect.refuse(message, bad))
      for (const symbol of wanted) mine.add(symbol)
      say(...dialect.confirm(message, wanted))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscribed: () => [...new Set([...sockets.values()].flatMap((mine) => [...mine]))].toSorted(),
    connections: () => connections,
    listed: () => listed,
    tick: (symbol, price, at = Date.now()) => {
      const text = JSON.stringify(dialect.ticker({ symbol, price, at }))
      for (const [socket, mine] of sockets) if (mine.has(symbol)) socket.send(text)
    },
    send: (text) => {
      for (const socket of sockets.keys()) socket.send(text)
    },
    drop: () => {
      for (const socket of sockets.keys()) socket.terminate()
    },
    refuse: (symbol) => void refused.add(symbol),
    down: (now) => {
      isDown = now
    },
    close: async () => {
      for (const socket of sockets.keys()) socket.terminate()
      feed.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
