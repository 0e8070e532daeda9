import { afterEach, beforeEach, expect, test } from 'vitest'
import { coinGecko, type CoinGeckoOptions } from '../../server/adapters/market-data/coingecko/coingecko'
import { limitConcurrency } from '../../server/waits'
import { ProviderError } from '../../server/adapters/market-data/provider'
import { coin } from '../../src/contract/market'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { coinGeckoStandIn, FAULTS, type CoinGeckoStandIn, type Fault } from './support/coingecko-stand-in'

const NOW = Date.UTC(2026, 2, 3, 10, 20, 30, 400)
let gecko: CoinGeckoStandIn
let spent: string[]
let pauses: number[]
let odd: [string, string][]

beforeEach(async () => {
  gecko = await coinGeckoStandIn(() => NOW)
  spent = []
  pauses = []
  odd = []
})
afterEach(() => gecko.close())

const provider = (options: Partial<CoinGeckoOptions> = {}) =>
  coinGecko({
    baseUrl: gecko.url,
    timeout: 10_000,
    clock: () => NOW,
    spend: async (purpose) => {
      spent.push(purpose)
    },
    onRateLimited: async (pause) => {
      pauses.push(pause)
    },
    onOddCoin: (...told) => {
      odd.push(told)
    },
    ...options,
  })

const FAILURE: Readonly<Record<Exclude<Fault, 'null-prices' | 'nonsense'>, string>> = {
  '429': 'rate-limited',
  'plain-429': 'rate-limited',
  '500': 'refused',
  redirect: 'unreachable',
  html: 'malformed',
  truncated: 'malformed',
  hang: 'unreachable',
  'half-a-body': 'unreachable',
  'endless-body': 'malformed',
  reset: 'unreachable',
}

test('every answer of CoinGecko, a refusal too, tells its time', async () => {
  const told: number[] = []
  const telling = provider({ onTime: async (time) => void told.push(time) })
  await telling.spotPrices(['bitcoin'])
  gecko.fail('429')
  await expect(telling.spotPrices(['bitcoin'])).rejects.toThrow(ProviderError)
  expect(told).toHaveLength(2)
  // Of the stand-in: the machine's own, in whole seconds.
  for (const time of told) expect(Math.abs(Date.now() - time)).toBeLessThan(MINUTE)
})

test('the CoinGecko adapter gets the prices of many coins in one request, with CoinGecko’s time for each', async () => {
  const prices = await provider().spotPrices(['bitcoin', 'pepe', 'no-such-coin'])
  expect([...prices.keys()]).toEqual(['bitcoin', 'pepe'])
  expect(prices.get('bitcoin')).toEqual({
    usd: gecko.coins.get('bitcoin')!.price!(NOW),
    providerTime: Math.floor(NOW / 1000) * 1000,
  })
  expect(gecko.seen).toEqual([
    '/simple/price?ids=bitcoin,pepe,no-such-coin&vs_currencies=usd&include_last_updated_at=true&precision=full',
  ])
  expect(spent).toEqual(['prices'])
})

test('the CoinGecko adapter reads the coin list page by page, sorted by rank and without coins that have no rank', async () => {
  for (let i = 0; i < 300; i++)
    gecko.coins.set(`c${i}`, { id: `c${i}`, rank: i === 7 ? null : 100 + i, price: () => 1 })
  const coins = await provider().listCoins(500)
  expect(gecko.seen).toHaveLength(2)
  expect(coins).toHaveLength(303)
  expect(coins.map((coin) => coin.market_cap_rank)).toEqual(
    coins.map((coin) => coin.market_cap_rank).toSorted((a, b) => a - b),
  )
  expect(coins[0]).toEqual({
    id: 'bitcoin',
    symbol: 'bit',
    name: 'BITCOIN',
    image: 'https://coin-images.coingecko.com/bitcoin.png',
    market_cap_rank: 1,
    usd: gecko.coins.get('bitcoin')!.price!(NOW),
    providerTime: NOW,
  })
  expect(await provider().listCoins(2)).toHaveLength(2)
})

test.each<[string, () => void, number, number]>([
  [
    'all of whose coins lack ranks',
    () => {
      for (let i = 0; i < 2_000; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: null, price: () => 1 })
      for (const id of ['bitcoin', 'ethereum', 'solana', 'pepe']) gecko.coins.delete(id)
    },
    1,
    0,
  ],
  [
    'that gives its first page for each page',
    () => {
      for (let i = 0; i < 300; i++) gecko.coins.set(`c${i}`, { id: `c${i}`, rank: 10 + i, price: () => 1 })
      gecko.repeatsFirstPage = true
    },
    2,
    250,
  ],
  [
    'with one rank on each of its many pages',
    () => {
      for (let i = 0; i < 5_000; i++)
        gecko.coins.set(`c${i}`, { id: `c${i}`, rank: i % 250 === 0 ? 10 + i : null, price: () => 1 })
    },
    4,
    8,
  ],
])('a CoinGecko list %s is read with few requests', async (_which, prepare, requests, coins) => {
  prepare()
  expect(await provider().listCoins(500)).toHaveLength(coins)
  expect(gecko.seen).toHaveLength(requests)
})

test.each([
  ['fiveMinutely', '1', DAY, 5 * MINUTE],
  ['hourly', '90', 90 * DAY, HOUR],
  ['daily', '365', 365 * DAY, DAY],
] as const)(
  '%s history is one request to CoinGecko for %s days, and ends at the present price',
  async (granularity, days, span, step) => {
    const { times, prices } = await provider().history('solana', granularity)
    expect(gecko.seen).toEqual([`/coins/solana/market_chart?vs_currency=usd&days=${days}&precision=full`])
    expect(times[0]! - (NOW - span)).toBeLessThan(2 * step)
    expect(times.at(-1)).toBe(NOW)
    expect(prices.at(-1)).toBe(gecko.coins.get('solana')!.price!(NOW))
    expect(times.length).toBeGreaterThanOrEqual(span / step)
  },
)

test('the CoinGecko adapter has no thirty-minute history and sends no request for it', async () => {
  expect((await provider().history('solana', 'thirtyMinutely')).times).toHaveLength(0)
  expect(gecko.seen).toEqual([])
})

test('an untraded or dropped coin has no history, and missing prices are left out of history and spot prices', async () => {
  gecko.coins.set('solana', { id: 'solana', rank: 3, price: null })
  expect((await provider().history('solana', 'hourly')).times).toHaveLength(0)
  expect((await provider().history('dropped', 'hourly')).times).toHaveLength(0)
  gecko.coins.set('pepe', { id: 'pepe', rank: 4, price: (time) => (time < NOW - HOUR ? null : 1) })
  const { times } = await provider().history('pepe', 'fiveMinutely')
  expect(times[0]).toBeGreaterThanOrEqual(NOW - HOUR)
  expect([...(await provider().spotPrices(['solana', 'pepe'])).keys()]).toEqual(['pepe'])
})

test.each(Object.entries(FAILURE) as [Fault, string][])(
  'a CoinGecko fault %s makes every adapter call fail as %s after one request',
  async (fault, failure) => {
    const impatient = provider(failure === 'unreachable' ? { timeout: 250 } : {})
    const calls = [
      () => impatient.ping(),
      () => impatient.listCoins(500),
      () => impatient.spotPrices(['bitcoin']),
      () => impatient.history('bitcoin', 'hourly'),
    ]
    for (const call of calls) {
      gecko.fail(fault)
      const error = await call().then(
        () => null,
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(ProviderError)
      expect((error as ProviderError).failure).toBe(failure)
    }
    expect(gecko.seen).toHaveLength(calls.length)
    expect(spent).toHaveLength(calls.length)
    await provider().ping()
  },
)

test('null or nonsense answers of CoinGecko give no spot prices, and make coin list and history fail as malformed', async () => {
  for (const fault of ['null-prices', 'nonsense'] as const) {
    gecko.fail(fault)
    expect((await provider().spotPrices(['bitcoin', 'ethereum', 'solana'])).size).toBe(0)
    for (const call of [() => provider().listCoins(500), () => provider().history('bitcoin', 'daily')]) {
      gecko.fail(fault)
      await expect(call()).rejects.toMatchObject({ failure: 'malformed' })
    }
  }
  expect(new Set(FAULTS)).toEqual(new Set([...Object.keys(FAILURE), 'null-prices', 'nonsense']))
})

test('a CoinGecko coin whose id no client can read is left out and reported, and the rest of the list stays', async () => {
  const ids = ['bad id/ü', 'a,b', '', 'x'.repeat(129), '__proto__', 'line\nbreak']
  for (const [i, id] of ids.entries()) gecko.coins.set(id, { id, rank: 10 + i, price: () => 1 })
  const coins = await provider().listCoins(500)
  expect(coins.map(({ id }) => id)).toEqual(['bitcoin', 'ethereum', 'solana', 'pepe', '__proto__'])
  expect(coins.map((one) => coin.safeParse({ ...one, current_price: one.usd }).success)).toEqual(Array(5).fill(true))
  const refused = ids.filter((id) => id !== '__proto__').map((id) => [id, 'its id is no id'])
  expect(odd).toEqual(refused)
  const prices = await provider().spotPrices(['bitcoin', 'bad id/ü'])
  expect([...prices.keys()]).toEqual(['bitcoin'])
})

test('odd symbols, names and images of CoinGecko are put right, and a coin without any symbol or name is left out', async () => {
  const price = () => 1
  gecko.coins.clear()
  gecko.coins.set('a', {
    id: 'a',
    rank: 1,
    price,
    symbol: ' a\u0000b\u202e ',
    name: 'N'.repeat(10_000),
    image: 'http://x.example/a.png',
  })
  gecko.coins.set('b', { id: 'b', rank: 2, price, symbol: '\u0000\n', name: 'B' })
  gecko.coins.set('c', { id: 'c', rank: 3, price, symbol: 'c', name: 'Sea', image: 'javascript:alert(1)' })
  gecko.coins.set('d', { id: 'd', rank: 4, price, image: `https://x.example/${'d'.repeat(3_000)}` })
  const coins = await provider().listCoins(500)
  expect(coins.map(({ id, symbol, name, image }) => [id, symbol, name, image])).toEqual([
    ['a', 'a b', 'N'.repeat(256), null],
    ['c', 'c', 'Sea', null],
    ['d', 'd', 'D', null],
  ])
  expect(odd).toEqual([
    ['a', 'symbol and name and image had to be put right'],
    ['b', 'it has no symbol'],
    ['c', 'image had to be put right'],
    ['d', 'image had to be put right'],
  ])
})

test('a 429 of CoinGecko reports its Retry-After as the pause, or one minute if it has none', async () => {
  gecko.fail('429')
  await expect(provider().ping()).rejects.toMatchObject({ retryAfter: 2_000 })
  gecko.fail('plain-429')
  await expect(provider().ping()).rejects.toMatchObject({ retryAfter: 60_000 })
  expect(pauses).toEqual([2_000, 60_000])
})

test('the CoinGecko adapter sends no request when the call budget refuses it', async () => {
  const spend = async () => {
    throw new ProviderError('budget', 'used up')
  }
  await expect(provider({ spend }).spotPrices(['bitcoin'])).rejects.toMatchObject({ failure: 'budget' })
  expect(gecko.seen).toEqual([])
})

test('the CoinGecko adapter sends the demo key or the Pro key in its own header, never both, or none', async () => {
  const sent = async (options: Partial<CoinGeckoOptions>) => {
    await provider(options).ping()
    return [gecko.headers['x-cg-demo-api-key'], gecko.headers['x-cg-pro-api-key']]
  }
  expect(await sent({})).toEqual([undefined, undefined])
  expect(await sent({ demoKey: 'demo' })).toEqual(['demo', undefined])
  expect(await sent({ proKey: 'pro' })).toEqual([undefined, 'pro'])
  expect(await sent({ demoKey: 'demo', proKey: 'pro' })).toEqual([undefined, 'pro'])
})

test('a concurrency limit of two runs at most two tasks at once, and runs all of them even when some fail', async () => {
  const enter = limitConcurrency(2)
  let inside = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, i) =>
      enter(async () => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside--
        if (i % 3 === 0) throw new Error('no')
        return i
      }),
    ),
  )
  expect(most).toBe(2)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
})
