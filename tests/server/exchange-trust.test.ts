import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { matchMarkets } from '../../server/services/market/exchange/markets'
import { exchangeTrust } from '../../server/services/market/exchange/trust'
import { EXCHANGE_TOLERANCE } from '../../server/services/market/prices/stored-prices'

const START = Date.UTC(2026, 0, 15, 12)
let changes: Parameters<Parameters<typeof exchangeTrust>[0]>[0][]
let trust: ReturnType<typeof exchangeTrust>
beforeEach(() => {
  changes = []
  trust = exchangeTrust((change) => changes.push(change))
})

/** Times are seconds after START. */
const provider = (usd: number, now: number) => trust.reference('bitcoin', usd, START + now * 1000)
const tick = (usd: number, now: number, at: number | null = now) =>
  trust.take('bitcoin', { usd, at: at === null ? null : START + at * 1000 }, START + now * 1000)
const drained = () => [...trust.drain().values()].map(({ usd }) => usd)
const verdicts = () => changes.map(({ trusted }) => trusted)

test('no price of an exchange is used before the provider has given one', () => {
  tick(100, 1)
  expect(drained()).toEqual([])
  provider(100, 2)
  tick(101, 3)
  expect([drained(), verdicts()]).toEqual([[101], []])
})

test('ticks of a second are stored as the last of them, once', () => {
  provider(100, 0)
  for (const usd of [100.1, 100.3, 100.2]) tick(usd, 1, null)
  expect([drained(), drained()]).toEqual([[100.2], []])
})

test('a price more than 3 % from the provider’s is not used, nor are those after it until the provider’s next price agrees, and this is reported once each', () => {
  provider(100, 0)
  tick(101, 1)
  for (let second = 2; second < 60; second++) tick(second % 2 === 0 ? 110 : 101, second)
  expect([drained(), changes]).toEqual([[], [{ coin: 'bitcoin', trusted: false, usd: 110, reference: 100 }]])
  tick(110, 60)
  provider(100, 60)
  expect([drained(), verdicts()]).toEqual([[], [false]])
  provider(109, 119)
  tick(110.5, 120)
  expect([drained(), verdicts()]).toEqual([[110.5], [false, true]])
})

test('a real move of more than 3 % is used again with the provider’s next price', () => {
  provider(100, 0)
  tick(95, 10)
  expect(drained()).toEqual([])
  provider(95.5, 60)
  tick(95, 61)
  expect([drained(), verdicts()]).toEqual([[95], [false, true]])
})

test('a distrusted coin whose ticks are minutes apart is used again with the first tick that agrees with a newer price of the provider', () => {
  provider(100, 0)
  tick(110, 1)
  provider(110, 120)
  expect(verdicts()).toEqual([false])
  tick(110.5, 200)
  expect([drained(), verdicts()]).toEqual([[110.5], [false, true]])
})

test('an exchange that stands still while the provider’s price moves is distrusted by the provider’s price', () => {
  provider(100, 0)
  tick(100, 1)
  provider(90, 2)
  expect([drained(), verdicts(), trust.isDistrusted('bitcoin')]).toEqual([[], [false], true])
})

test('an exchange that was silent for a minute is not judged by what it said before', () => {
  provider(100, 0)
  tick(100, 1)
  provider(90, 62)
  expect(verdicts()).toEqual([])
})

test.each([NaN, Infinity, -Infinity, 0, -100])('a price of %d is ignored, and changes no trust', (usd) => {
  provider(100, 0)
  tick(100, 1)
  expect([tick(usd, 2), drained(), verdicts()]).toEqual([false, [100], []])
})

test('repeated ticks, ticks out of order and ticks of another hour are ignored', () => {
  provider(100, 0)
  tick(100, 120)
  expect([tick(100, 121, 120), tick(99, 121, 119), tick(99, 121, 59), tick(99, 121, 3721), tick(99, 121, NaN)]).toEqual(
    [false, false, false, false, false],
  )
  expect(drained()).toEqual([100])
})

test('a tick whose time is a second ahead counts as of now', () => {
  provider(100, 0)
  tick(100, 1, 2)
  expect([...trust.drain().values()]).toEqual([{ usd: 100, providerTime: START + 1000 }])
})

test('ticks are taken again after this server’s clock was set back by an hour', () => {
  provider(100, 0)
  tick(100, 3600)
  expect([tick(101, 1), drained()]).toEqual([true, [101]])
})

test('an unchanged price is stored again after 15 s, so that it does not count as silent', () => {
  provider(100, 0)
  const stored: number[] = []
  for (let second = 1; second <= 60; second++) {
    tick(100, second)
    if (drained().length > 0) stored.push(second)
  }
  expect(stored).toEqual([1, 16, 31, 46])
})

test('whatever an exchange sends, a stored price lies within 3 % of a price that the provider has given, and times never go back', () => {
  const anything = fc.oneof(
    fc.record({
      kind: fc.constant('tick' as const),
      usd: fc.double(),
      at: fc.option(fc.double({ min: -90, max: 90 })),
    }),
    fc.record({
      kind: fc.constant('tick' as const),
      usd: fc.double({ min: 80, max: 120, noNaN: true }),
      at: fc.option(fc.integer({ min: -5, max: 5 })),
    }),
    fc.record({ kind: fc.constant('provider' as const), usd: fc.double({ min: 80, max: 120, noNaN: true }) }),
  )
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 60 }), (events) => {
      const some = exchangeTrust(() => undefined)
      let reference: number | null = null
      let last = -Infinity
      events.forEach((event, second) => {
        const now = START + second * 1000
        if (event.kind === 'provider') {
          reference = event.usd
          some.reference('bitcoin', event.usd, now)
        } else some.take('bitcoin', { usd: event.usd, at: event.at === null ? null : now + event.at * 1000 }, now)
        for (const { usd, providerTime } of some.drain().values()) {
          expect(Math.abs(usd - reference!)).toBeLessThanOrEqual(reference! * EXCHANGE_TOLERANCE)
          expect(providerTime).toBeGreaterThanOrEqual(last)
          expect(providerTime).toBeLessThanOrEqual(now)
          last = providerTime
        }
      })
    }),
  )
})

test('a coin’s market is its symbol in USD, else in USDT, else in USDC, and the best rank has the symbol', () => {
  const coins = [
    { id: 'bitcoin', symbol: 'btc' },
    { id: 'tether', symbol: 'usdt' },
    { id: 'pepe', symbol: 'pepe' },
    { id: 'false-bitcoin', symbol: 'BTC' },
    { id: 'solana', symbol: 'sol' },
    { id: 'rare', symbol: 'rare' },
  ]
  const markets = new Set(['BTC/USD', 'BTC/USDT', 'USDT/USD', 'PEPE/USDC', 'PEPE/USDT', 'SOL/EUR', 'SOL/USDC'])
  const watched = new Set(coins.map(({ id }) => id))
  expect([...matchMarkets(coins, watched, markets)]).toEqual([
    ['BTC/USD', 'bitcoin'],
    ['USDT/USD', 'tether'],
    ['PEPE/USDT', 'pepe'],
    ['SOL/USDC', 'solana'],
  ])
  expect([...matchMarkets(coins, new Set(['false-bitcoin']), markets)]).toEqual([])
})
