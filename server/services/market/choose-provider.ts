import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { ReportOddCoin } from '../../adapters/market-data/coingecko/answers'
import { coinGecko, type CoinGecko, type CoinGeckoOptions } from '../../adapters/market-data/coingecko/coingecko'
import { type MarketProvider, ProviderError, type ProviderFailure } from '../../adapters/market-data/provider'
import { simulatedProvider } from '../../adapters/market-data/simulated/simulated'
import type { Env } from '../../env'
import { callBudget, monthlyCalls, type CallBudget } from './budget'

/** How long one request may take, and how long the start waits to learn whether CoinGecko answers. Milliseconds. */
const PROVIDER_TIMEOUT_MS = 7_000
const PING_TIMEOUT = 2_500

export interface Chosen {
  readonly provider: MarketProvider
  /** Null where calls cost nothing. */
  readonly budget: CallBudget | null
}

/** Whether coins of CoinGecko are stored here: prices that somebody lives with are not exchanged for invented ones. */
async function hasRealPrices(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT FROM market_coins WHERE source = 'coingecko' LIMIT 1`)
  return rows.length > 0
}

interface MarketProviderDeps {
  readonly env: Env
  readonly pool: Pool
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** Failures of a CoinGecko that is there: CoinGecko asks for a pause, or this month's calls are used up. */
const IS_THERE: readonly ProviderFailure[] = ['rate-limited', 'budget']

/**
 * MARKET_DATA: the one it names; with `auto` CoinGecko where it answers now, has given prices before, or is not to be
 * asked at the moment, else the simulation.
 */
export async function chooseProvider({ env, pool, clock, logger }: MarketProviderDeps): Promise<Chosen> {
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
    timeout: PROVIDER_TIMEOUT_MS,
    clock,
    spend: (purpose, share) => budget.spend(purpose, share),
    onRateLimited: (pause) => budget.pause(pause),
    onOddCoin: logOddCoins(logger),
  }
  const provider: CoinGecko = coinGecko(options)
  if (env.MARKET_DATA === 'coingecko') {
    logger?.info({ monthlyCalls: budget.total }, 'market data: CoinGecko')
    return { provider, budget }
  }

  try {
    if (await hasRealPrices(pool)) {
      logger?.info({ monthlyCalls: budget.total }, 'market data: CoinGecko, as before')
      return { provider, budget }
    }
    await coinGecko({ ...options, timeout: PING_TIMEOUT }).ping()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (IS_THERE.includes(error.failure)) {
      logger?.warn(
        { failure: error.failure, reason: error.message },
        'market data: CoinGecko, which is not to be asked now',
      )
      return { provider, budget }
    }
    logger?.warn(
      { failure: error.failure, reason: error.message },
      'market data: CoinGecko does not answer, so prices are SIMULATED until the next start (MARKET_DATA=coingecko insists on real ones)',
    )
    return simulated()
  }
  logger?.info({ monthlyCalls: budget.total }, 'market data: CoinGecko')
  return { provider, budget }
}

/** Coins that are remembered as told, and how much of an id is told. */
const MAX_TOLD = 1_000
const ID_LENGTH = 128

/** Logs each odd coin of a provider once in the life of this process: lists and prices come again and again. */
function logOddCoins(logger: FastifyBaseLogger | undefined): ReportOddCoin {
  const told = new Set<string>()
  return (given, what) => {
    const id = given.slice(0, ID_LENGTH)
    if (told.has(id) || told.size >= MAX_TOLD) return
    told.add(id)
    logger?.warn({ coin: id, what }, 'the provider names an odd coin')
  }
}
