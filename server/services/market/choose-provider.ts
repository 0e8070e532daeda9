import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { coinGecko, type CoinGecko, type CoinGeckoOptions } from '../../adapters/market-data/coingecko/coingecko'
import { ProviderError, type MarketProvider } from '../../adapters/market-data/provider'
import { simulatedProvider } from '../../adapters/market-data/simulated/simulated'
import type { Env } from '../../env'
import { callBudget, monthlyCalls, type Budget } from './budget'
import { logOddCoins } from './odd-coins'

/** How long one request may take, and how long the start waits to learn whether CoinGecko answers. Milliseconds. */
const TIMEOUT = 7_000
const PING_TIMEOUT = 2_500

export interface Chosen {
  readonly provider: MarketProvider
  /** Null where calls cost nothing. */
  readonly budget: Budget | null
}

interface Parts {
  readonly env: Env
  readonly pool: Pool
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** MARKET_DATA: the one it names; with `auto` CoinGecko where it answers now, else the simulation. */
export async function chooseProvider({ env, pool, clock, logger }: Parts): Promise<Chosen> {
  const simulated = (): Chosen => ({ provider: simulatedProvider(clock), budget: null })
  if (env.MARKET_DATA === 'simulated') {
    logger?.info('market data: simulated prices')
    return simulated()
  }

  const budget = callBudget(pool, monthlyCalls(env), clock)
  const options: CoinGeckoOptions = {
    baseUrl: env.COINGECKO_BASE_URL,
    demoKey: env.COINGECKO_DEMO_API_KEY,
    proKey: env.COINGECKO_PRO_API_KEY,
    timeout: TIMEOUT,
    clock,
    spend: (purpose) => budget.spend(purpose),
    onRateLimited: (pause) => budget.pause(pause),
    onOddCoin: logOddCoins(logger),
  }
  const provider: CoinGecko = coinGecko(options)
  if (env.MARKET_DATA === 'coingecko') {
    logger?.info({ monthlyCalls: budget.total }, 'market data: CoinGecko')
    return { provider, budget }
  }

  try {
    await coinGecko({ ...options, timeout: PING_TIMEOUT }).ping()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    logger?.warn(
      { failure: error.failure, reason: error.message },
      'market data: CoinGecko does not answer, so prices are SIMULATED until the next start (MARKET_DATA=coingecko insists on real ones)',
    )
    return simulated()
  }
  logger?.info({ monthlyCalls: budget.total }, 'market data: CoinGecko')
  return { provider, budget }
}
