/** @module-tag both-engines */
import * as fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { gapsIn, isWanting, lacksNothingFor } from '../../server/services/market/history/plan'
import type { RunningMarket } from '../../server/services/market/market'
import { BUCKET_MS, GRANULARITIES, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { type Period, PERIODS } from '../../src/domain/chart-periods'
import { clock, database, gecko, makeMarket, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'

const BITCOIN = 'bitcoin' as CoinId
let market: RunningMarket

useMarketScene()
beforeEach(async () => {
  market = await startMarket()
  await addPairs(database, [['bitcoin', 'ethereum']])
  await runJob(market, 'market-prices')
})

const charts = () => gecko.seen.filter((path) => path.includes('market_chart'))

/** How many statements read stored points while `work` runs. */
async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(database.pool, 'query')
  await work()
  const texts = asked.mock.calls.map(([query]) => JSON.stringify(query))
  asked.mockRestore()
  return texts.filter((text) => text.includes('FROM market_points')).length
}

test('stored points are read once for all who ask for a coin’s period, and again once the coin’s next price is stored', async () => {
  await market.history(BITCOIN, '1d')
  const ask = () => market.history(BITCOIN, '1d')
  expect(await readsOf(() => Promise.all([ask(), ask(), ask()]))).toBe(1)
  const before = await ask()
  expect(await readsOf(ask)).toBe(0)
  expect((await ask()).body).toBe(before.body)

  clock.advance(MINUTE / 2)
  await runJob(market, 'market-prices')
  expect(await readsOf(() => Promise.all([ask(), ask()]))).toBe(1)
  const price = (await market.prices([BITCOIN])).get(BITCOIN)!.usd
  expect((await ask()).answer.data.at(-1)![1]).toBe(price)
  expect(before.answer.data.at(-1)![1]).not.toBe(price)
})

test('a price that another server process stored ends the kept history within a second', async () => {
  const other = await makeMarket()
  await market.history(BITCOIN, '7d')
  await market.history(BITCOIN, '7d')
  clock.advance(MINUTE / 2)
  await runJob(other, 'market-prices')
  clock.advance(1_001)
  const price = (await other.prices([BITCOIN])).get(BITCOIN)!.usd
  expect((await market.history(BITCOIN, '7d')).answer.data.at(-1)![1]).toBe(price)
})

test('the kept history of a coin whose price an exchange gives every second is made anew only every fifteen seconds', async () => {
  const tick = async (usd: number) => {
    clock.advance(1_000 + (clock() % 1_000))
    await database.pool.query(
      `UPDATE market_prices p SET usd = $1, at = $2, seen_at = $2, via = 'kraken'
       FROM market_coins c WHERE c.key = p.coin_key AND c.id = 'bitcoin'`,
      [usd, clock()],
    )
    clock.advance(1_001)
    return market.history(BITCOIN, '1d')
  }
  const ends: number[] = []
  for (let i = 1; i <= 60; i++) ends.push((await tick(i)).answer.data.at(-1)![1])
  const lags = ends.map((end, i) => i + 1 - end)
  expect(new Set(ends).size).toBeLessThanOrEqual(12)
  // In ticks, which are two seconds apart and somewhat more.
  expect(Math.max(...lags)).toBeLessThanOrEqual(8)
  expect(Math.max(...lags)).toBeGreaterThan(0)
})

test('points that the provider brought for one period are in the kept history of another at once', async () => {
  await market.history(BITCOIN, '1y')
  const before = await market.history(BITCOIN, '1y')
  await database.pool.query(
    `DELETE FROM market_fetches f USING market_coins c WHERE c.key = f.coin_key AND c.id = 'bitcoin'`,
  )
  const newer = gecko.coins.get('bitcoin')!.price!
  gecko.coins.set('bitcoin', { id: 'bitcoin', rank: 1, price: (time) => newer(time)! * 2 })
  // Asks for hours, which are folded into days.
  await market.history(BITCOIN, '1m')
  expect((await market.history(BITCOIN, '1y')).answer).not.toEqual(before.answer)
})

test('a kept history does not keep the provider from being asked once points are wanting', async () => {
  await market.history(BITCOIN, '1d')
  // Four buckets without a price after the answer: from then on the provider has to be asked.
  clock.advance(4 * BUCKET_MS.fiveMinutely - MINUTE / 4)
  expect((await market.history(BITCOIN, '1d')).complete).toBe(true)
  const asked = charts().length
  gecko.fail('500', 10)
  clock.advance(MINUTE / 2)
  expect((await market.history(BITCOIN, '1d')).complete).toBe(false)
  expect(charts().length).toBe(asked + 1)
})

test('an incomplete history is not kept: the next request asks the provider as soon as it may', async () => {
  await market.history(BITCOIN, '1m')
  gecko.fail('500', 1)
  await expect(market.history(BITCOIN, '1y')).resolves.toMatchObject({ complete: false })
  await expect(market.history(BITCOIN, '1y')).resolves.toMatchObject({ complete: false })
  clock.advance(16_000)
  await expect(market.history(BITCOIN, '1y')).resolves.toMatchObject({ complete: true })
})

test('whatever prices and histories come, a server process answers from its kept history as one without any does', async () => {
  const event = fc.record({
    kind: fc.constantFrom('poll', 'other polls', 'fold', 'history', 'wait'),
    seconds: fc.integer({ min: 2, max: 400 }),
    period: fc.constantFrom<Period>(...PERIODS),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 25 }), async (events) => {
      const other = await makeMarket()
      for (const { kind, seconds, period } of events) {
        if (kind === 'poll') await runJob(market, 'market-prices')
        if (kind === 'other polls') await runJob(other, 'market-prices')
        if (kind === 'history') await other.history(BITCOIN, period)
        // Folded points show with the next price, or after a minute.
        if (kind === 'fold') await runJob(market, 'market-fold')
        clock.advance(kind === 'fold' ? MINUTE : seconds * 1000)
        // Once to have what is wanting fetched: an answer with it is not kept.
        for (const one of PERIODS) await market.history(BITCOIN, one)
        const fresh = await makeMarket()
        for (const one of PERIODS) {
          const [kept, anew] = [await market.history(BITCOIN, one), await fresh.history(BITCOIN, one)]
          expect([kept.complete, kept.body.bytes.toString()]).toEqual([anew.complete, anew.body.bytes.toString()])
        }
      }
    }),
    { numRuns: 6 },
  )
})

test('a level is said to lack nothing for no longer than no gap comes that no answer has covered', () => {
  const level = fc.constantFrom(...GRANULARITIES)
  const scene = fc.record({
    granularity: level,
    buckets: fc.uniqueArray(fc.integer({ min: -5, max: 45 }), { maxLength: 30 }),
    width: fc.integer({ min: 0, max: 40 }),
    offset: fc.integer({ min: 0, max: HOUR }),
    covered: fc.option(fc.tuple(fc.integer({ min: -10, max: 5 }), fc.integer({ min: 5, max: 45 }))),
  })
  let seen = 0
  fc.assert(
    fc.property(scene, ({ granularity, buckets, width, offset, covered }) => {
      const size = BUCKET_MS[granularity]
      const times = Float64Array.from(
        buckets.toSorted((a, b) => a - b),
        (bucket) => bucket * size,
      )
      const answered = covered && { from: covered[0] * size, until: covered[1] * size }
      const wanted = { granularity, from: offset, until: offset + width * size }
      const isLacking = (after: number) => {
        const span = { from: wanted.from + after, until: wanted.until + after }
        return isWanting(gapsIn(times, granularity, span), granularity, answered)
      }
      if (isLacking(0)) return
      seen += 1
      const calm = lacksNothingFor(times, wanted, answered)
      for (const part of [0.01, 0.3, 0.7, 0.99, 1]) {
        if (Number.isFinite(calm) && calm > 0) expect(isLacking(Math.floor(calm * part))).toBe(false)
      }
    }),
    { numRuns: 2000 },
  )
  expect(seen).toBeGreaterThan(200)
})
