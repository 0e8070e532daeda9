import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { jsonBody, preferredEncoding } from '../../server/http/kept-body'
import { loadEnv } from '../../server/env'
import { lruByWeight } from '../../server/services/market/lru-by-weight'
import { createMarket, type RunningMarket } from '../../server/services/market/market'
import { MINUTE } from '../../src/domain/granularity'
import { runJob } from './support/market-scene'

import { testClock } from './support/test-clock'

import { withDatabase, withServer } from './support/for-file'

const clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
const database = withDatabase()
const server = withServer<RunningMarket>(async () => {
  const market = await createMarket({ env: loadEnv({ MARKET_DATA: 'simulated' }), database, clock })
  await market.start()
  return { market, database, deps: { clock } }
})
afterAll(() => server.market.stop())

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })
const pricesOf = (ids: string) => `/api/v3/simple/price?ids=${ids}&vs_currencies=usd&include_last_updated_at=true`
const HISTORY = '/api/v1/coins/bitcoin/historical?period=1m'

test.each([HISTORY, '/api/v1/coins/supported', '/api/v1/pairs/ready', pricesOf('bitcoin,ethereum')])(
  'GET %s says in each form that its form depends on the accepted encodings, and is the same in each',
  async (url) => {
    const plain = await get(url)
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const held = await get(url, { 'if-none-match': String(plain.headers.etag) })
    expect([plain, gzip, brotli, held].map(({ headers }) => headers.vary)).toEqual(
      Array.from({ length: 4 }, () => 'accept-encoding'),
    )
    expect([gzip.headers.etag, brotli.headers.etag, held.headers.etag]).toEqual(
      Array.from({ length: 3 }, () => plain.headers.etag),
    )
    expect([held.statusCode, held.body]).toEqual([304, ''])
    expect(held.headers['cache-control']).toBe(plain.headers['cache-control'])
    if (plain.rawPayload.length < 1024) {
      expect([gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, undefined])
      return
    }
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload)
    expect(brotliDecompressSync(brotli.rawPayload)).toEqual(plain.rawPayload)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.rawPayload.length)
  },
)

test('a client that holds any answer gets 304 for If-None-Match: *, and HEAD has the headers of GET', async () => {
  expect((await get(HISTORY, { 'if-none-match': '*' })).statusCode).toBe(304)
  const head = await server.app.inject({ method: 'HEAD', url: HISTORY })
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', (await get(HISTORY)).headers.etag])
})

test('a poll may be answered by a shared cache for 15 seconds and by a browser’s never without asking', async () => {
  const { headers } = await get(pricesOf('bitcoin'))
  expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate, s-maxage=15')
})

test('an unchanged poll is answered with 304 in whichever order it asks, and with 200 once a price was stored', async () => {
  const first = await get(pricesOf('bitcoin,ethereum'))
  const tag = { 'if-none-match': String(first.headers.etag) }
  clock.advance(2_000)
  expect((await get(pricesOf('ethereum,bitcoin,bitcoin,nobody'), tag)).statusCode).toBe(304)
  expect((await get(pricesOf('bitcoin'), tag)).statusCode).toBe(200)
  clock.advance(MINUTE)
  await runJob(server.market, 'market-prices')
  const next = await get(pricesOf('bitcoin,ethereum'), tag)
  expect(next.statusCode).toBe(200)
  expect(next.json().bitcoin.last_updated_at).toBeGreaterThan(first.json().bitcoin.last_updated_at)
})

test('a poll names the exchange of a price that an exchange gave, and none for others', async () => {
  await database.pool.query(
    `UPDATE market_prices SET via = CASE WHEN c.id = 'bitcoin' THEN 'kraken' END
     FROM market_coins c WHERE c.key = coin_key`,
  )
  clock.advance(1_001)
  const prices = (await get(pricesOf('bitcoin,ethereum'))).json()
  expect([prices.bitcoin.via, Object.keys(prices.ethereum)]).toEqual(['kraken', ['usd', 'last_updated_at']])
})

test('the same prices are one map and the list of coins one array until a price is stored', async () => {
  const { market } = server
  const before = [await market.prices(['solana', 'bitcoin']), await market.coins()]
  clock.advance(1_001)
  expect(await market.prices(['bitcoin', 'solana'])).toBe(before[0])
  expect(await market.coins()).toBe(before[1])
  clock.advance(MINUTE)
  await runJob(market, 'market-prices')
  expect(await market.prices(['bitcoin', 'solana'])).not.toBe(before[0])
  expect(await market.coins()).not.toBe(before[1])
})

test('a body is compressed once for each encoding, and weighs at least what all its forms take', async () => {
  const body = jsonBody(Array.from({ length: 2000 }, (_, i) => [1_700_000_000_000 + i * 300_000, 100 / (i + 1)]))
  const [once, again] = [body.compressed('br'), body.compressed('br')]
  expect(again).toBe(once)
  const forms = [body.bytes, await once, await body.compressed('gzip')]
  expect(forms.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(body.weight)
})

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['GZIP;q=0.3, BR ; q=0.3', 'br'],
  ['*', 'br'],
  ['*;q=0.1, gzip', 'gzip'],
  ['gzip;q=nonsense', null],
])('of Accept-Encoding %s the server chooses %s', (header, encoding) => {
  expect(preferredEncoding(header)).toBe(encoding)
})

test('values that were used longest ago are given up once all weigh too much, and one that is replaced counts once', () => {
  const held = lruByWeight<string>(10, (text) => text.length)
  held.set('a', 'four')
  held.set('b', 'four')
  held.set('b', 'five!')
  expect([held.get('a'), held.get('b')]).toEqual(['four', 'five!'])
  held.get('a')
  held.set('c', 'ten longer')
  expect(['a', 'b', 'c'].map(held.get)).toEqual([undefined, undefined, 'ten longer'])
  held.set('d', 'more than all of it')
  expect(['c', 'd'].map(held.get)).toEqual([undefined, undefined])
})
