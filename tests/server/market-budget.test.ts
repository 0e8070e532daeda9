import { expect, test } from 'vitest'
import { ProviderError } from '../../server/adapters/market-data/provider'
import { callBudget } from '../../server/services/market/prices/call-budget'
import { soonFetcher } from '../../server/services/market/prices/spot-prices'
import { DAY, HOUR } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { clock, database, gecko, polls, runJob, startMarket, useMarketScene } from './support/market-scene'
import { addPairs } from './support/pairs'

useMarketScene()

const addWidget = (coinA: string, coinB: string) => addPairs(database, [[coinA, coinB]])

test('four budgets in one database together spend exactly the 70 of 100 monthly calls that polls may take; the next month allows more', async () => {
  const budgets = Array.from({ length: 4 }, () => callBudget(database.pool, 100, clock))
  const spent = await Promise.allSettled(
    Array.from({ length: 160 }, (_, i) => budgets[i % 4]!.spend('prices', 'polling')),
  )
  expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(70)
  await expect(budgets[0]!.spend('prices', 'polling')).rejects.toMatchObject({ failure: 'budget' })
  clock.advance(31 * DAY)
  await expect(callBudget(database.pool, 100, clock).spend('prices', 'polling')).resolves.toBeUndefined()
})

test('calls on demand leave the price poll its share of the month’s calls, and those for coins of no widget leave the others theirs', async () => {
  const budget = callBudget(database.pool, 100, clock)
  const spend = async (count: number, share: 'held' | 'asked') => {
    const all = await Promise.allSettled(
      Array.from({ length: count }, (_, i) => budget.spend(i % 2 ? 'history' : 'soon', share)),
    )
    const refused = all.filter((result) => result.status === 'rejected')
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ProviderError)
    return all.length - refused.length
  }
  // 14.5 of 31 days are over, and so 57 % of a month's 30 and of its 10 calls are there.
  expect(await spend(40, 'asked')).toBe(6)
  expect(await spend(40, 'held')).toBe(12)
  await expect(budget.spend('prices', 'polling')).resolves.toBeUndefined()
  clock.advance(10 * DAY)
  expect([await spend(40, 'asked'), await spend(40, 'held')]).toEqual([3, 4])
})

test.each([
  ['coins', 'polling'],
  ['ping', 'polling'],
  ['soon', 'held'],
  ['history', 'held'],
  ['ready', 'asked'],
  ['closes', 'held'],
] as const)(
  'a job that asks CoinGecko for ever for %s leaves each other job calls, and prices two thirds of the month',
  async (purpose, share) => {
    const total = 300
    const budget = callBudget(database.pool, total, clock)
    clock.advance(16 * DAY)
    const count = async (...[purpose, share]: Parameters<typeof budget.spend>) => {
      const calls = await Promise.allSettled(Array.from({ length: total }, () => budget.spend(purpose, share)))
      const refused = calls.filter((call) => call.status === 'rejected')
      for (const { reason } of refused) expect(reason).toMatchObject({ failure: 'budget' })
      return total - refused.length
    }
    expect(await count(purpose, share)).toBeLessThan(0.25 * total)
    const others = (
      [
        ['coins', 'polling'],
        ['ping', 'polling'],
        ['soon', 'held'],
        ['history', 'held'],
        ['closes', 'held'],
      ] as const
    ).filter(([other]) => other !== purpose)
    for (const [job, its] of others) await expect(budget.spend(job, its)).resolves.toBeUndefined()
    expect(await count('prices', 'polling')).toBeGreaterThanOrEqual(0.67 * total)
  },
)

test('a month of price polls and constant history requests stays within the monthly calls and ends with a recent price', async () => {
  // Traded since yesterday: of what is stored, the calls are counted.
  for (const coin of gecko.coins.values()) {
    const { price } = coin
    coin.price = (time) => (time < clock() - DAY ? null : price!(time))
  }
  const market = await startMarket({ COINGECKO_MONTHLY_CALLS: '120', PRICE_POLL_SECONDS: '' })
  await addWidget('bitcoin', 'ethereum')
  clock.advance(-14 * DAY)
  const counted = gecko.seen.length
  const coins = ['bitcoin', 'ethereum', 'solana', 'pepe'] as CoinId[]
  for (let step = 0; step < 120; step++) {
    clock.advance(6 * HOUR)
    await runJob(market, 'market-coins')
    await runJob(market, 'market-prices')
    await market.history(coins[step % 4]!, '1m').catch(() => undefined)
  }
  expect(gecko.seen.length - counted).toBeLessThanOrEqual(120)
  expect(polls().length).toBeGreaterThan(40)
  const last = (await market.prices(['bitcoin'])).get('bitcoin')!
  expect(clock() - last.providerTime).toBeLessThan(2 * DAY)
})

test('after a 429 to one process, another process sends CoinGecko no price or history request until the pause is over', async () => {
  const [one, two] = [await startMarket(), await startMarket()]
  await addWidget('bitcoin', 'ethereum')
  gecko.fail('429')
  await runJob(one, 'market-prices')
  const asked = gecko.seen.length
  await runJob(two, 'market-prices')
  await two.history('bitcoin' as CoinId, '1y').catch(() => undefined)
  expect(gecko.seen).toHaveLength(asked)
  clock.advance(61_000)
  await runJob(two, 'market-prices')
  expect(gecko.seen).toHaveLength(asked + 1)
})

test('a pause that was noted while the clock was a day ahead does not outlast the correction of the clock', async () => {
  const budget = callBudget(database.pool, 100, clock)
  clock.advance(HOUR)
  await budget.pause(60_000)
  clock.advance(-HOUR)
  await expect(budget.spend('prices', 'polling')).resolves.toBeUndefined()
  // Nor does it hide a pause that is asked for now.
  await budget.pause(60_000)
  await expect(budget.spend('prices', 'polling')).rejects.toMatchObject({ retryAfter: 60_000 })
})

test('of two rate limit pauses, the longer one holds, whichever is set first', async () => {
  for (const [first, second] of [
    [60_000, 2_000],
    [2_000, 60_000],
  ] as const) {
    const budget = callBudget(database.pool, 100, clock)
    await budget.pause(first)
    await budget.pause(second)
    clock.advance(59_000)
    await expect(budget.spend('prices', 'polling')).rejects.toMatchObject({
      failure: 'rate-limited',
      retryAfter: 1_000,
    })
    clock.advance(1_000)
    await expect(budget.spend('prices', 'polling')).resolves.toBeUndefined()
  }
})

test('a caller of a price fetch out of turn gives up on a provider that hangs', async () => {
  let release = () => {}
  const soon = soonFetcher(() => new Promise((resolve) => (release = () => resolve(false))), clock)
  await expect(soon.ask(['a'], 'asked')).resolves.toBeUndefined()
  release()
  await soon.stop()
})

test('simultaneous price fetches out of turn share one request, and no coin is requested twice', async () => {
  const asked: string[][] = []
  const soon = soonFetcher(async (ids) => asked.push([...ids]) > 0, clock)
  await Promise.all([soon.ask(['a', 'b'], 'asked'), soon.ask(['b', 'c'], 'asked')])
  await soon.ask(['c'], 'asked')
  expect(asked).toEqual([['a', 'b', 'c']])
  await soon.stop()
})

test('coins whose price fetch out of turn failed are not requested again at once', async () => {
  const asked: string[][] = []
  const soon = soonFetcher(async (ids) => {
    asked.push([...ids])
    return false
  }, clock)
  await soon.ask(['a', 'b'], 'asked')
  await soon.ask(['a', 'b'], 'asked')
  expect(asked).toEqual([['a', 'b']])
  await soon.stop()
})
