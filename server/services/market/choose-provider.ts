import type { Pool } from 'pg'
import type { ReportOddCoin } from '../../adapters/market-data/coingecko/answers'
import { coinGecko, type CoinGeckoOptions } from '../../adapters/market-data/coingecko/coingecko'
import { type MarketProvider, ProviderError, type ProviderFailure } from '../../adapters/market-data/provider'
import { simulatedProvider } from '../../adapters/market-data/simulated/simulated'
import type { AppDeps } from '../../app-deps'
import { callBudget, type CallBudget, monthlyCalls } from './budget'
import type { FeedDeps } from './polling'

/** How long one request may take, and how long the start waits to learn whether CoinGecko answers. Milliseconds. */
const PROVIDER_TIMEOUT_MS = 7_000
const PING_TIMEOUT = 2_500

/** Failures of a CoinGecko that is there: CoinGecko asks for a pause, or this month's calls are used up. */
const IS_THERE: readonly ProviderFailure[] = ['rate-limited', 'budget']

/**
 * MARKET_DATA: the one it names; with `auto` CoinGecko where it answers now, has given prices before, or is not to be
 * asked at the moment, else the simulation.
 * @returns `budget` null where calls cost nothing
 */
export async function chooseProvider(
  { env, clock, logger }: Pick<AppDeps, 'env' | 'clock'> & Pick<FeedDeps, 'logger'>,
  pool: Pool,
): Promise<{ readonly provider: MarketProvider; readonly budget: CallBudget | null }> {
  const simulated = () => ({ provider: simulatedProvider(clock), budget: null })
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
    spend: budget.spend,
    onRateLimited: budget.pause,
    onOddCoin: logOddCoins(logger),
  }
  const chosen = { provider: coinGecko(options), budget }
  const real = (how = '') => {
    logger?.info({ monthlyCalls: budget.total }, `market data: CoinGecko${how}`)
    return chosen
  }
  if (env.MARKET_DATA === 'coingecko') return real()

  try {
    // Prices that somebody lives with are not exchanged for invented ones.
    const { rows } = await pool.query(`SELECT FROM market_coins WHERE source = 'coingecko' LIMIT 1`)
    if (rows.length > 0) return real(', as before')
    await coinGecko({ ...options, timeout: PING_TIMEOUT }).ping()
    return real()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { failure, message: reason } = error
    if (IS_THERE.includes(failure)) {
      logger?.warn({ failure, reason }, 'market data: CoinGecko, which is not to be asked now')
      return chosen
    }
    logger?.warn(
      { failure, reason },
      'market data: CoinGecko does not answer, so prices are SIMULATED until the next start (MARKET_DATA=coingecko insists on real ones)',
    )
    return simulated()
  }
}

/** Coins that are logged at most, and characters of an id. */
const MAX_LOGGED = 1_000
const ID_LENGTH = 128

/** Logs each odd coin of a provider once in the life of this process: lists and prices come again and again. */
function logOddCoins(logger: FeedDeps['logger']): ReportOddCoin {
  const logged = new Set<string>()
  return (given, what) => {
    const id = given.slice(0, ID_LENGTH)
    if (logged.has(id) || logged.size >= MAX_LOGGED) return
    logged.add(id)
    logger?.warn({ coin: id, what }, 'the provider names an odd coin')
  }
}
