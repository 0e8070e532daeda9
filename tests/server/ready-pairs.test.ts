import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { readyPair } from '../../src/contract/market'
import { MINUTE } from '../../src/domain/granularity'
import { ApiError } from '../../server/http/api-error'
import { type FakeMarket, fakeMarket } from './support/fake-market'
import { testApp, type TestApp } from './support/test-app'
import { testClock, type TestClock } from './support/test-clock'

let clock: TestClock
let market: FakeMarket
let server: TestApp

beforeEach(async () => {
  clock = testClock()
  market = fakeMarket(clock)
  market.usd.set('binancecoin', 600)
  server = await testApp({ market, deps: { clock } })
})
afterEach(() => server.close())

const ask = async () => {
  const answer = await server.app.inject('/api/v1/pairs/ready')
  expect(answer.statusCode).toBe(200)
  return z.array(readyPair).parse(answer.json())
}

test('three ready pairs come with their present ratio and their place within 90 days, without any identity', async () => {
  // The fake history is flat at the price of when it is asked for.
  market.usd.set('ethereum', 500).set('bitcoin', 1000).set('solana', 250)
  const pairs = await ask()
  expect(pairs.map((pair) => [pair.coin_a_id, pair.coin_b_id, pair.ratio])).toEqual([
    ['ethereum', 'bitcoin', 0.5],
    ['solana', 'ethereum', 0.5],
    ['binancecoin', 'ethereum', 1.2],
  ])
  expect(pairs[0]?.place).toEqual({ days: 90, below: 45, low: 0.5, median: 0.5, high: 0.5 })
})

test('all visitors within a minute share one computation, and the next minute has the new price', async () => {
  const asked = vi.spyOn(market, 'history')
  await Promise.all([ask(), ask(), ask()])
  expect(asked).toHaveBeenCalledTimes(4)
  const before = (await ask())[0]?.ratio
  market.usd.set('ethereum', 123)
  expect((await ask())[0]?.ratio).toBe(before)
  clock.advance(MINUTE)
  expect((await ask())[0]?.ratio).toBe(0.123)
})

test('no address is charged for the ready pairs', async () => {
  const histories = vi.spyOn(market, 'history')
  const prices = vi.spyOn(market, 'prices')
  await ask()
  for (const call of histories.mock.calls) expect(call[2]).toBeUndefined()
  for (const call of prices.mock.calls) expect(call[1]).toBeUndefined()
})

test('a ready pair without a price of the last ten minutes has neither ratio nor place', async () => {
  market.usd.delete('solana')
  vi.spyOn(market, 'history').mockImplementation(async (id, period) => {
    if (id === 'solana') throw new ApiError('MARKET_DATA_UNAVAILABLE', 'Not now.')
    return fakeMarket(clock).history(id === 'binancecoin' ? ('bitcoin' as typeof id) : id, period)
  })
  const prices = market.prices.bind(market)
  vi.spyOn(market, 'prices').mockImplementation(async (ids) => {
    const known = new Map(await prices(ids))
    known.set('binancecoin', { usd: 600, providerTime: clock() - 10 * MINUTE - 1, fetchedAt: clock() })
    return known
  })
  const [first, second, third] = await ask()
  expect(first).toMatchObject({ ratio: 0.5, place: { days: 90 } })
  expect([second?.ratio, second?.place]).toEqual([null, null])
  expect([third?.ratio, third?.place]).toEqual([null, null])
})

test('a ready pair whose history cannot be had keeps its ratio', async () => {
  vi.spyOn(market, 'history').mockRejectedValue(new ApiError('MARKET_DATA_UNAVAILABLE', 'Not now.'))
  for (const { ratio, place } of await ask()) expect([typeof ratio, place]).toEqual(['number', null])
})

test('a failure is not held: the next visitor asks again', async () => {
  vi.spyOn(market, 'prices').mockRejectedValueOnce(new Error('The database is away.'))
  expect((await server.app.inject('/api/v1/pairs/ready')).statusCode).toBe(500)
  expect(await ask()).toHaveLength(3)
})
