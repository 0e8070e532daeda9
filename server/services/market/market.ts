import type { Coin, MarketSource } from '../../../src/contract/market'
import type { DailyMatrix } from '../../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import type { CoinId } from '../../../src/domain/ids'
import { POLL_INTERVAL } from '../../../src/domain/live-prices'
import type { Period } from '../../../src/domain/chart-periods'
import { withTimeLimit } from '../../../src/domain/waits'
import { logOddCoins } from '../../adapters/market-data/coingecko/answers'
import { coinGecko, type CoinGeckoOptions } from '../../adapters/market-data/coingecko/coingecko'
import {
  type MarketProvider,
  ProviderError,
  type ProviderFailure,
  type SpotPrice,
} from '../../adapters/market-data/provider'
import type { OpenFeed } from '../../adapters/market-stream/exchange-feed'
import { simulatedProvider } from '../../adapters/market-data/simulated/simulated'
import { ApiError } from '../../http/api-error'
import type { Env } from '../../env'
import type { JobsDeps, PeriodicJob } from '../../jobs/periodic'
import type { KeptBody } from '../../http/kept-body'
import { latestOf, nodeTimer, shareReads } from '../../waits'
import { unjudgedJob } from '../alerts/tell-unjudged'
import { chargeAddresses, chargeNobody } from '../address-limits'
import type { AlertMetrics } from '../alerts/metrics'
import { providerTime, removalJob } from '../removal-job'
import { callBudget, type CallBudget, callsThisMonth, monthlyCalls, ownCallsAMinute } from './prices/call-budget'
import { type CoinList, coinList, type KnownCoin, MAX_COINS } from './coin-list'
import { closeDays, dailyCloses, dropOldCloses, outdatedCloses } from './history/closes'
import { fillCloses } from './history/fill-closes'
import { ownCloses } from './history/own-closes'
import { historyStore } from './history/history-store'
import type { ServedHistory } from './history/served-history'
import { dropOldPoints, foldPoints, outdatedPoints } from './history/points'
import { type ExchangePrices, exchangePrices } from './exchange/prices'
import { polling } from './prices/polling'
import type { StorePrices } from './feed'
import { priceStore } from './prices/price-store'
import { latestPrices, movedSince, type ServedPrice, type StoredPrice } from './prices/stored-prices'
import { exchangesOf, pricesJob } from './prices/prices-job'
import { servePrices, soonFetcher } from './prices/spot-prices'

/**
 * Prices as this server knows them; everything is answered from what is stored. Answers are the same objects as long as
 * nothing that they say has changed, so that a caller can keep what it makes of them.
 */
export interface Market {
  readonly source: MarketSource
  readonly attribution: { readonly text: string; readonly url: string | null }
  /** The list, best rank first. @throws ApiError MARKET_DATA_UNAVAILABLE while none was ever loaded */
  coins(): Promise<readonly Coin[]>
  /** @throws ApiError MARKET_DATA_UNAVAILABLE while no list was ever loaded */
  knows(id: CoinId): Promise<boolean>
  /**
   * Coins without a known price are left out. Coins that are asked for are polled along with those of widgets.
   * @param ip the address that asks, which may cause so many requests to the provider; without one, any number
   */
  prices(ids: readonly string[], ip?: string): Promise<ReadonlyMap<string, ServedPrice>>
  /** The latest price of every coin, by its id, read from the database now. */
  stored(): Promise<ReadonlyMap<string, StoredPrice>>
  /**
   * @param ip as for prices
   * @throws ApiError NOT_FOUND, MARKET_DATA_UNAVAILABLE
   */
  history(id: CoinId, period: Period, ip?: string): Promise<ServedHistory>
  /**
   * The matrix of daily closes, as bytes (src/domain/daily-matrix.ts).
   * @throws ApiError MARKET_DATA_UNAVAILABLE while no list was ever loaded
   */
  daily(): Promise<KeptBody>
  /** A widget has begun to hold these coins: closes that the matrix lacks are asked for, and streams told. */
  held(ids: readonly CoinId[]): void
  /** Closes have come, perhaps by another process: the next matrix is looked for. */
  closesCame(): void
  /** Sees to it that there is a list of coins, if that can be had soon. */
  start(): Promise<void>
  /** Waits for what was begun out of turn. */
  stop(): Promise<void>
}

/** A market and the periodic work that keeps it fresh. */
export interface RunningMarket extends Market {
  readonly jobs: readonly PeriodicJob[]
}

interface MarketDeps extends JobsDeps {
  readonly env: Env
  readonly metrics?: AlertMetrics | undefined
  /** Opens the feed of an exchange that MARKET_STREAM names. */
  readonly openFeed?: OpenFeed | undefined
}

/** How long the start waits for a first list of coins; the server then answers without one. Milliseconds. */
const FIRST_LIST_TIMEOUT_MS = 3_000

export async function createMarket(deps: MarketDeps): Promise<RunningMarket> {
  const { env, database, clock, logger } = deps
  const { pool } = database
  const { provider, budget } = await chooseProvider(deps)
  const { source, attribution } = provider
  const closes = () => daily.matrix()
  const { latest, live, list, configured, polls } = priceSources(deps, provider, budget, closes)
  const soon = soonFetcher(polls.fetchSoon, clock)
  const charge = budget === null ? chargeNobody : chargeAddresses(database, env, clock)
  const histories = historyStore({ pool, provider, clock, charge, logger })
  const { daily, own, fill, filled } = closesSources(deps, provider, budget, { list, latest })
  const priced = latestOf(withPrices)

  const listed = () => requireList(list)

  return {
    source,
    attribution,
    jobs: [
      { name: 'market-coins', every: 30_000, run: list.refreshIfDue },
      pricesJob({ poll: polls.poll, every: configured ?? POLL_INTERVAL, live, logger }),
      { name: 'market-fill', every: MINUTE, run: fill },
      unjudgedJob({ database, clock }, source),
      ...upkeepJobs({ database, clock, logger }, source),
    ],

    coins: async () => priced(...(await Promise.all([listed(), latest.all()]))),

    // Without a list nothing can be said of a coin, and a client that is told "unknown" gives up what it queued.
    knows: async (id) => {
      await listed()
      return (await list.byId()).has(id)
    },

    prices: servePrices({ pool, clock, list, latest, polls, soon, charge }),
    stored: () => {
      latest.forget()
      return latest.all()
    },

    history: async (id, period, ip) => {
      await listed()
      const coin = (await list.byId()).get(id)
      if (coin === undefined) throw new ApiError('NOT_FOUND', 'There is no such coin.')
      return histories.serve(coin, period, (await latest.all()).get(id), ip)
    },

    daily: async () => {
      await listed()
      if (budget === null) await filled.get()
      return daily.get()
    },
    closesCame: daily.forget,
    held: (ids) => own.soon(daily.lacking(ids)),

    // A later failure is mended and logged by the job.
    start: () => withTimeLimit(nodeTimer, FIRST_LIST_TIMEOUT_MS, list.refreshIfDue(), () => undefined),
    stop: async () => void (await Promise.all([soon.stop(), own.stop()])),
  }
}

/** Stored prices, and those who bring them: the list of coins, polls of the provider, and an exchange if there is one. */
function priceSources(
  { env, database, clock, metrics, logger, openFeed: open }: MarketDeps,
  provider: MarketProvider,
  budget: CallBudget | null,
  closes: () => Promise<DailyMatrix>,
) {
  const { pool, changes } = database
  const { source } = provider
  const latest = latestPrices(pool, source, clock)
  const isNamed = env.MARKET_DATA !== 'auto'
  const storeAll = priceStore({
    pool,
    source,
    isNamed,
    clock,
    metrics,
    logger,
    closes,
    onPrices: latest.forget,
    changes,
  })
  const exchanges = exchangesOf(env, source, logger)
  const live: ExchangePrices | null =
    open === undefined || exchanges.length === 0
      ? null
      : exchangePrices({ pool, source, clock, logger, exchanges, open, coins: () => list.all(), store: storeAll })
  const store: StorePrices = (prices, options) => storeAll(live === null ? prices : live.note(prices), options)
  const list = coinList({ pool, provider, clock, logger, store })
  const configured = env.PRICE_POLL_SECONDS && env.PRICE_POLL_SECONDS * 1000
  const polls = polling({ pool, provider, budget, configured, clock, logger, store })
  return { latest, live, list, configured, polls }
}

/** The matrix of daily closes, and those who ask for the past of coins. */
function closesSources(
  { env, database, clock, logger }: MarketDeps,
  provider: MarketProvider,
  budget: CallBudget | null,
  { list, latest }: Pick<ReturnType<typeof priceSources>, 'list' | 'latest'>,
) {
  const { pool, changes } = database
  const feed = { pool, provider, clock, logger }
  const daily = dailyCloses({ pool, source: provider.source, clock, list, latest })
  const own = ownCloses({
    ...feed,
    perMinute: budget === null ? Infinity : ownCallsAMinute(env),
    onFilled: (coins) => {
      daily.forget()
      changes.publish(coins.map((coin) => ({ kind: 'closes', coin })))
    },
  })
  const fill = fillCloses({ ...feed, budget, list, own })
  // A client that was given an empty matrix comes back later; where calls cost nothing, none need be.
  const filled = shareReads(() => fill(new AbortController().signal), Infinity, clock)
  return { daily, own, fill, filled }
}

/** @throws ApiError MARKET_DATA_UNAVAILABLE while no list was ever loaded */
async function requireList(list: CoinList): Promise<readonly KnownCoin[]> {
  const coins = await list.all()
  if (coins.length > 0) return coins
  throw new ApiError('MARKET_DATA_UNAVAILABLE', 'The list of coins cannot be had at the moment.')
}

/** Jobs that fold points into coarser levels, take closes, and remove what is too old. */
function upkeepJobs(deps: JobsDeps, source: MarketSource): readonly PeriodicJob[] {
  const { pool } = deps.database
  return [
    sinceLastRun('market-fold', deps.clock, async (since) =>
      foldPoints(pool, await movedSince(pool, source, since), since),
    ),
    sinceLastRun('market-closes', deps.clock, (since, now) => closeDays(pool, source, since, now)),
    removalJob({ ...deps, source }, 'closes-retention', {
      every: DAY,
      outdated: outdatedCloses,
      remove: (now, signal) => dropOldCloses(pool, now, signal),
    }),
    removalJob({ ...deps, source }, 'market-retention', {
      every: 6 * HOUR,
      outdated: outdatedPoints,
      remove: (now, signal) => dropOldPoints(pool, now, signal),
    }),
  ]
}

/** The ranked coins, which come first, with their prices: no more than a list has, where a list was not believed. */
const withPrices = (coins: readonly KnownCoin[], prices: ReadonlyMap<string, SpotPrice>): readonly Coin[] =>
  coins
    .slice(0, MAX_COINS)
    .flatMap(({ id, symbol, name, image, market_cap_rank }) =>
      market_cap_rank === null
        ? []
        : [{ id: id as CoinId, symbol, name, image, current_price: prices.get(id)?.usd ?? null, market_cap_rank }],
    )

/** A job for what has changed since its last run; the first run looks back as far as a stop may have left something undone. */
function sinceLastRun(
  name: string,
  clock: () => number,
  work: (since: number, now: number) => Promise<void>,
): PeriodicJob {
  let ranAt: number | null = null
  return {
    name,
    every: 5 * MINUTE,
    run: async () => {
      const now = clock()
      await work(Math.min(now, ranAt ?? now) - (ranAt === null ? 2 * DAY : HOUR), now)
      ranAt = now
    },
  }
}

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
async function chooseProvider({
  env,
  database: { pool, orm },
  clock,
  logger,
}: MarketDeps): Promise<{ readonly provider: MarketProvider; readonly budget: CallBudget | null }> {
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
    onTime: providerTime({ orm }, logger, clock),
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
    // A server that was started too often without an answer has no ping left; the month may have many calls.
    const isUnasked = failure === 'budget' && (await callsThisMonth(pool, clock())) < budget.total
    if (IS_THERE.includes(failure) && !isUnasked) {
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
