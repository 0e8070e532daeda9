import type { FastifyBaseLogger } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { loadEnv } from '../../../server/env'
import { createMarket, type RunningMarket } from '../../../server/services/market/market'
import { coinGeckoStandIn, type CoinGeckoStandIn } from './coingecko-stand-in'
import { testClock, type TestClock } from './test-clock'
import { freshDatabase, type TestDatabase } from './test-database'

/** A server database without a market in it, a CoinGecko stand-in and a clock at 12:02:30, anew for each test. */
export let database: TestDatabase
export let gecko: CoinGeckoStandIn
export let clock: TestClock
let markets: RunningMarket[] = []

/** Registers the hooks that make and end them. @param prepare runs before each test, before any market */
export function useMarketScene(prepare: () => void = () => undefined): void {
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    clock = testClock(Date.UTC(2026, 0, 15, 12, 2, 30))
    gecko = await coinGeckoStandIn(clock)
    prepare()
    // TRUNCATE of owners would make new files for each of the many tables that refer to them.
    await database.pool.query(
      `DELETE FROM owners; DELETE FROM pairs; DELETE FROM address_counts; DELETE FROM alert_source; DELETE FROM market_calls;
       TRUNCATE market_coins, market_prices, market_points, market_closes, market_fetches`,
    )
  })
  afterEach(async () => {
    for (const market of markets) await market.stop()
    markets = []
    await gecko.close()
  })
}

/** A market on the stand-in, not started. @param more further environment variables */
export async function makeMarket(
  more: Record<string, string> = {},
  logger?: FastifyBaseLogger,
): Promise<RunningMarket> {
  const env = loadEnv({ MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: gecko.url, PRICE_POLL_SECONDS: '60', ...more })
  const market = await createMarket({ env, database, clock, logger })
  markets.push(market)
  return market
}

export async function startMarket(...args: Parameters<typeof makeMarket>): Promise<RunningMarket> {
  const market = await makeMarket(...args)
  await market.start()
  return market
}

export const runJob = (market: RunningMarket, name: string) =>
  market.jobs.find((job) => job.name === name)!.run(new AbortController().signal)

/** Paths of the price requests that the stand-in has seen. */
export const polls = () => gecko.seen.filter((path) => path.startsWith('/simple/price'))
