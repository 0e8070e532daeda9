import { expect, test } from 'vitest'
import { type MarketProvider, ProviderError, type ProviderFailure } from '../../server/adapters/market-data/provider'
import { simulatedProvider } from '../../server/adapters/market-data/simulated/simulated'
import { coinKinds } from '../../server/services/market/coin-kinds'
import { decodeDailyMatrix } from '../../src/domain/daily-matrix'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { clock, database, gecko, runJob, startMarket, useMarketScene } from './support/market-scene'

useMarketScene()

type Market = Awaited<ReturnType<typeof startMarket>>

const categories = () => gecko.seen.flatMap((path) => /[?&]category=([\w-]+)/.exec(path)?.[1] ?? [])

async function kindsOf(market: Market): Promise<Record<string, string>> {
  const { kinds, coins } = decodeDailyMatrix(new Uint8Array((await market.daily()).bytes).buffer)!
  return Object.fromEntries([...kinds!].map(([row, kind]) => [coins[row]!, kind]))
}

const list = (id: string, usd: number, category: string) =>
  gecko.coins.set(id, { id, rank: 10, category, price: () => usd })

const nextDays = async (market: Market, days: number): Promise<void> => {
  clock.advance(days * DAY)
  await runJob(market, 'market-coins')
}

test('coins have the kind that the categories of the provider give them, and a stablecoin of euros has none', async () => {
  list('tether', 0.9998, 'stablecoins')
  list('euro-coin', 1.16, 'stablecoins')
  list('wrapped-bitcoin', 104_000, 'wrapped-tokens')
  list('staked-ether', 3_500, 'liquid-staking-tokens')
  const market = await startMarket()
  expect(await kindsOf(market)).toEqual({ tether: 'usd', 'wrapped-bitcoin': 'wrapped', 'staked-ether': 'wrapped' })
})

test('each category is asked for once a week, with a renewed list of coins', async () => {
  const market = await startMarket()
  const asked = categories()
  expect(asked).toEqual(['stablecoins', 'wrapped-tokens', 'liquid-staking-tokens', 'liquid-restaking-tokens'])
  await nextDays(market, 6)
  expect(categories()).toEqual(asked)
  await nextDays(market, 1)
  expect(categories()).toEqual([...asked, ...asked])
})

test('a provider that answers a question for a category with all coins gives no coin a kind', async () => {
  for (const id of ['bitcoin', 'ethereum', 'solana', 'pepe']) {
    gecko.coins.set(id, { ...gecko.coins.get(id)!, category: 'stablecoins', price: () => 1 })
  }
  expect(await kindsOf(await startMarket())).toEqual({})
})

test('a provider that asks for a pause leaves the kinds that are known; a category that it does not know gives nothing', async () => {
  list('tether', 1, 'stablecoins')
  list('staked-ether', 3_500, 'liquid-staking-tokens')
  const market = await startMarket()
  let failure: ProviderFailure = 'rate-limited'
  const provider: MarketProvider = {
    ...simulatedProvider(clock),
    source: 'coingecko',
    categoryIds: async (category) => {
      if (category === 'pegged') throw new ProviderError(failure, 'Not now')
      return ['staked-ether']
    },
  }
  const kinds = coinKinds({ pool: database.pool, provider, clock })
  const listed = [...gecko.coins.keys()].map((id, index) => ({
    id,
    symbol: id,
    name: id,
    image: null,
    market_cap_rank: index + 1,
    usd: 1,
    providerTime: clock(),
  }))
  clock.advance(8 * DAY)
  await kinds.refreshIfDue(listed)
  expect(await kindsOf(market)).toEqual({ tether: 'usd', 'staked-ether': 'wrapped' })
  failure = 'refused'
  await kinds.refreshIfDue(listed)
  clock.advance(MINUTE)
  expect(await kindsOf(market)).toEqual({ 'staked-ether': 'wrapped' })
})

test('the simulated market says which of its coins are dollars, and which stand for another', async () => {
  expect(await kindsOf(await startMarket({ MARKET_DATA: 'simulated' }))).toMatchObject({
    tether: 'usd',
    'wrapped-bitcoin': 'wrapped',
  })
})
