import { afterEach, expect, test, vi } from 'vitest'
import { coinGeckoStandIn, type CoinGeckoStandIn } from './support/coingecko-stand-in'
import { exchangeStandIn, type ExchangeStandIn } from './support/exchange-stand-in'
import { type ServerProcess, startServer } from './support/server-process'
import { emptyFolder } from './support/test-storage'

/* The built server as a process, with ccxt in its thread, on the embedded database. */

let storage: ReturnType<typeof emptyFolder>
let gecko: CoinGeckoStandIn
let kraken: ExchangeStandIn
let server: ServerProcess | null = null

afterEach(async () => {
  await server?.end('SIGKILL')
  server = null
  await Promise.all([gecko.close(), kraken.close()])
  await storage.remove()
})

async function start(): Promise<ServerProcess> {
  storage = emptyFolder()
  gecko = await coinGeckoStandIn(Date.now)
  for (const [index, [id, symbol]] of [['bitcoin', 'btc'] as const, ['ethereum', 'eth'] as const].entries()) {
    gecko.coins.set(id, { id, rank: index + 1, symbol, price: () => 100 })
  }
  kraken = await exchangeStandIn('kraken', ['BTC/USD', 'ETH/USD'])
  return startServer({
    ...storage.variables,
    MARKET_DATA: 'coingecko',
    COINGECKO_BASE_URL: gecko.url,
    MARKET_STREAM: 'kraken',
    MARKET_STREAM_URL: kraken.url,
  })
}

const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 100_000, interval: 50 })
const priceOf = async (coin: string): Promise<unknown> => {
  const answer = await fetch(`${server!.url}/api/v3/simple/price?ids=${coin}&vs_currencies=usd`)
  return ((await answer.json()) as Record<string, { usd: number }>)[coin]?.usd
}
const streamOf = async (): Promise<unknown> =>
  ((await (await fetch(`${server!.url}/api/v1/config`)).json()) as { market_data: { stream: unknown } }).market_data
    .stream

test(
  'a server process with MARKET_STREAM=kraken serves the exchange’s price within its tolerance, names the exchange, survives a cut, and ends cleanly',
  { tags: ['full'] },
  async () => {
    server = await start()
    expect(await priceOf('bitcoin')).toBe(100)
    await soon(() => expect(kraken.subscribed()).toEqual(['BTC/USD']))
    kraken.tick('BTC/USD', 101)
    await soon(async () => expect(await priceOf('bitcoin')).toBe(101))
    expect(await streamOf()).toEqual({ exchange: 'kraken' })

    kraken.drop()
    await soon(() => expect([kraken.connections(), kraken.subscribed()]).toEqual([2, ['BTC/USD']]))
    kraken.tick('BTC/USD', 101.5)
    await soon(async () => expect(await priceOf('bitcoin')).toBe(101.5))
    kraken.tick('BTC/USD', 150)
    await soon(() => expect(server!.output()).toContain('too far from the provider'))
    expect(await priceOf('bitcoin')).toBe(101.5)
    expect(await server.end('SIGTERM')).toEqual({ code: 0 })
    expect(server.output().split('too far from the provider')).toHaveLength(2)
  },
)
