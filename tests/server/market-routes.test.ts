import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { loadEnv } from '../../server/env'
import { createMarket, type RunningMarket } from '../../server/services/market/market'
import { brotliDecompressSync } from 'node:zlib'
import { decodeDailyMatrix } from '../../src/domain/daily-matrix'
import { AS_OF_HEADER, coin, historical, simplePrice, SOURCE_HEADER } from '../../src/contract/market'
import { PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'
import { BUCKET_MS } from '../../src/domain/granularity'
import { coinGeckoStandIn, type CoinGeckoStandIn } from './support/coingecko-stand-in'
import { testApp, type TestApp } from './support/test-app'
import { testClock, type TestClock } from './support/test-clock'
import { freshDatabase, type TestDatabase } from './support/test-database'

let database: TestDatabase
let gecko: CoinGeckoStandIn
let clock: TestClock
let real: TestApp<RunningMarket>
let simulated: TestApp<RunningMarket>

beforeAll(async () => {
  clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
  database = await freshDatabase()
  gecko = await coinGeckoStandIn(clock)
  const app = async (env: Record<string, string>) => {
    const market = await createMarket({ env: loadEnv({ ...env, COINGECKO_BASE_URL: gecko.url }), database, clock })
    await market.start()
    return testApp({ market, database, env, deps: { clock } })
  }
  real = await app({ MARKET_DATA: 'coingecko' })
  simulated = await app({ MARKET_DATA: 'simulated' })
})
afterAll(async () => {
  for (const { app, market } of [real, simulated]) {
    await app.close()
    await market.stop()
  }
  await gecko.close()
  await database.close()
})
beforeEach(() => gecko.heal())

const get = ({ app }: { readonly app: FastifyInstance }, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers })

test('the coin list route lists coins by rank, with an ETag and one hour of caching', async () => {
  const answer = await get(simulated, '/api/v1/coins/supported')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('public, max-age=3600, s-maxage=60')
  const coins = z.array(coin).parse(answer.json())
  expect(coins.map((coin) => coin.market_cap_rank)).toEqual(coins.map((_, i) => i + 1))
  expect(coins[0]).toMatchObject({
    id: 'bitcoin',
    symbol: 'btc',
    name: 'Bitcoin',
    image: '/api/v1/coins/bitcoin/icon.svg',
  })
  const again = await get(simulated, '/api/v1/coins/supported', { 'if-none-match': String(answer.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await get(simulated, '/api/v1/coins/supported', { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('the coin list route keeps CoinGecko’s image addresses', async () => {
  const [first] = (await get(real, '/api/v1/coins/supported')).json()
  expect(first.image).toBe('https://coin-images.coingecko.com/bitcoin.png')
})

test.each(PERIODS)('history of %s fits the contract, is gzipped, revalidated and cached a bucket', async (period) => {
  for (const app of [real, simulated]) {
    const url = `/api/v1/coins/bitcoin/historical?period=${period}`
    const answer = await get(app, url)
    expect(answer.statusCode).toBe(200)
    const { data, granularity, source } = historical.parse(answer.json())
    expect([granularity, source]).toEqual([PERIOD_RULES[period].granularity, app.market.source])
    expect(data.length).toBeGreaterThan(40)
    expect(answer.headers['cache-control']).toBe(`public, max-age=${BUCKET_MS[granularity] / 1000}, s-maxage=60`)
    const again = await get(app, url, { 'if-none-match': `"x", ${answer.headers.etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const packed = await get(app, url, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.rawPayload.length).toBeLessThan(answer.rawPayload.length)
  }
})

test('an incomplete history answer may be cached for only 30 seconds', async () => {
  const answer = await get(real, '/api/v1/coins/ethereum/historical?period=1y')
  expect(answer.statusCode).toBe(200)
  gecko.fail('500', 10)
  clock.advance(5 * 86_400_000)
  const stale = await get(real, '/api/v1/coins/ethereum/historical?period=1y')
  expect([stale.statusCode, stale.headers['cache-control']]).toEqual([200, 'private, max-age=30'])
  expect(stale.json().data.length).toBeGreaterThan(300)
})

test.each([
  ['/api/v1/coins/nobody/historical?period=1d', 404, 'NOT_FOUND'],
  ['/api/v1/coins/bitcoin/historical?period=2d', 422, 'VALIDATION_ERROR'],
  ['/api/v1/coins/bitcoin/historical', 422, 'VALIDATION_ERROR'],
  ['/api/v1/coins/bitcoin/historical?period=1d&period=7d', 422, 'VALIDATION_ERROR'],
  ['/api/v1/coins/bit%20coin/historical?period=1d', 422, 'VALIDATION_ERROR'],
  ['/api/v1/coins/nobody/icon.svg', 404, 'NOT_FOUND'],
  ['/api/v1/coins/%00/icon.svg', 422, 'VALIDATION_ERROR'],
])('GET %s is refused with %i %s and is not cached', async (url, status, code) => {
  const answer = await get(simulated, url)
  expect([answer.statusCode, answer.json().error_code]).toEqual([status, code])
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('the history route gets 503 when nothing is stored and the provider fails', async () => {
  gecko.fail('html', 10)
  const answer = await get(real, '/api/v1/coins/pepe/historical?period=1m')
  expect([answer.statusCode, answer.json().error_code]).toEqual([503, 'MARKET_DATA_UNAVAILABLE'])
})

test('the simple price route answers in CoinGecko’s format and leaves out unknown coins', async () => {
  const answer = await get(
    simulated,
    '/api/v3/simple/price?ids=bitcoin,nobody,%20tether&vs_currencies=usd&precision=full',
  )
  expect(answer.statusCode).toBe(200)
  const prices = simplePrice.parse(answer.json())
  expect(Object.keys(prices)).toEqual(['bitcoin', 'tether'])
  expect(Object.keys(prices['bitcoin']!)).toEqual(['usd'])
  expect(prices['tether']!.usd).toBeCloseTo(1, 1)
})

test('the simple price route gives the time of a price in seconds when asked', async () => {
  const url = '/api/v3/simple/price?ids=solana&vs_currencies=eur,usd&include_last_updated_at=true'
  const { solana } = (await get(simulated, url)).json()
  expect(solana).toEqual({ usd: expect.any(Number), last_updated_at: Math.floor(clock() / 1000) })
})

test('the simple price route names in headers whose prices it gives, and when they were stored', async () => {
  const from = async (app: { readonly app: FastifyInstance }) => {
    const { headers } = await get(app, '/api/v3/simple/price?ids=bitcoin&vs_currencies=usd')
    return [headers[SOURCE_HEADER], headers[AS_OF_HEADER]]
  }
  const now = String(clock())
  expect([await from(simulated), await from(real)]).toEqual([
    ['simulated', now],
    ['coingecko', now],
  ])
})

test('the simple price route answers an unsupported currency with an empty coin, as CoinGecko does', async () => {
  expect((await get(simulated, '/api/v3/simple/price?ids=bitcoin&vs_currencies=eur')).json()).toEqual({ bitcoin: {} })
})

test.each([
  ['ids=bitcoin', 'Missing parameter vs_currencies'],
  ['vs_currencies=usd', 'Missing parameter ids'],
  ['ids=,&vs_currencies=usd', 'Missing parameter ids'],
  [`ids=${'a,'.repeat(501)}&vs_currencies=usd`, 'At most 500 ids'],
])('the simple price route refuses the query %s with 422 and says why', async (query, error) => {
  const answer = await get(simulated, `/api/v3/simple/price?${query}`)
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toEqual({ error, detail: error, error_code: 'VALIDATION_ERROR' })
})

test('the simple price route refuses a query that gives a parameter twice', async () => {
  const answer = await get(simulated, '/api/v3/simple/price?ids=a&ids=b&vs_currencies=usd')
  expect([answer.statusCode, answer.json().error_code]).toEqual([422, 'VALIDATION_ERROR'])
})

test('every simulated coin has its own SVG icon with its symbol, without links or scripts, cached for a week', async () => {
  const coins = (await get(simulated, '/api/v1/coins/supported')).json() as { image: string; symbol: string }[]
  const drawn = new Set<string>()
  for (const { image, symbol } of coins) {
    const answer = await get(simulated, image)
    expect(answer.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=604800')
    expect(answer.body).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/)
    expect(answer.body).toContain(`>${symbol.toUpperCase().slice(0, 4)}</text>`)
    expect(answer.body).not.toMatch(/href|script|url\(/)
    drawn.add(answer.body)
  }
  expect(drawn.size).toBe(coins.length)
})

test('a coin icon leaves markup characters of the provider’s symbol out of its label', async () => {
  gecko.coins.set('evil', { id: 'evil', rank: 5, price: () => 1 })
  await database.pool.query(`UPDATE market_coins SET symbol = '<a&"b' WHERE source = 'coingecko' AND id = 'solana'`)
  clock.advance(60_000)
  const { body } = await get(real, '/api/v1/coins/solana/icon.svg')
  expect(body).toContain('>AB</text>')
})

test('daily closes are answered as bytes for shared caches, and with 304 to a client that has them', async () => {
  const url = '/api/v1/market/daily'
  await simulated.market.jobs.find(({ name }) => name === 'market-fill')!.run(new AbortController().signal)
  const first = await get(simulated, url)
  expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'application/octet-stream'])
  expect(first.headers['cache-control']).toBe('public, max-age=300, s-maxage=300')
  const bytes = new Uint8Array(first.rawPayload)
  expect(decodeDailyMatrix(bytes.slice().buffer)).toMatchObject({ source: 'simulated', ranked: 60, days: 365 })
  const again = await get(simulated, url, { 'if-none-match': String(first.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const packed = await get(simulated, url, { 'accept-encoding': 'br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(packed.rawPayload).equals(first.rawPayload)).toBe(true)
})
