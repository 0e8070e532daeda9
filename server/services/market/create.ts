import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../../api-error'
import type { CoinId } from '../../../src/domain/ids'
import type { Database } from '../../db/open'
import type { Env } from '../../env'
import type { AlertMetrics } from '../alerts/metrics'
import { USUAL_PACE } from './budget'
import { chargeAddresses, chargeNobody } from './charge'
import { chooseProvider } from './choose-provider'
import { coinList } from './coin-list'
import type { KnownCoin } from './coins'
import { historyStore } from './history'
import { marketJobs } from './jobs'
import type { RunningMarket } from './market'
import { latestPrices } from './latest-prices'
import { polling } from './polling'
import { priceStore } from './price-store'
import { soonFetcher } from './soon'
import { servePrices } from './spot-prices'

interface Parts {
  readonly env: Env
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly metrics?: AlertMetrics | undefined
  readonly logger?: FastifyBaseLogger | undefined
}

/** How long the start waits for a first list of coins; the server then answers without one. Milliseconds. */
const FIRST_LIST = 3_000

export async function createMarket({ env, database, clock, metrics, logger }: Parts): Promise<RunningMarket> {
  const { pool } = database
  const { provider, budget } = await chooseProvider({ env, pool, clock, logger })
  const { source, attribution } = provider

  const latest = latestPrices(pool, source, clock)
  const store = priceStore({
    pool,
    source,
    isNamed: env.MARKET_DATA !== 'auto',
    clock,
    metrics,
    logger,
    onPrices: () => latest.forget(),
  })
  const list = coinList({ pool, provider, clock, logger, store })
  const wished = env.PRICE_POLL_SECONDS === undefined ? undefined : env.PRICE_POLL_SECONDS * 1000
  const polls = polling({ pool, provider, budget, wished, clock, logger, store })
  const pollEvery = wished ?? USUAL_PACE
  const soon = soonFetcher((ids, share) => polls.fetchSoon(ids, share), clock)
  const charge = budget === null ? chargeNobody : chargeAddresses(database, env, clock)
  const histories = historyStore({ pool, provider, clock, charge, logger })

  async function listed(): Promise<readonly KnownCoin[]> {
    const coins = await list.all()
    if (coins.length === 0) {
      throw new ApiError('MARKET_DATA_UNAVAILABLE', 'The list of coins cannot be had at the moment.')
    }
    return coins
  }

  return {
    source,
    attribution,
    jobs: marketJobs({ database, logger, source, clock, coins: list, polling: polls, pollEvery }),

    coins: async () => {
      const [coins, prices] = await Promise.all([listed(), latest.all()])
      return coins.flatMap(({ id, symbol, name, image, market_cap_rank }) =>
        market_cap_rank === null
          ? []
          : [{ id: id as CoinId, symbol, name, image, current_price: prices.get(id)?.usd ?? null, market_cap_rank }],
      )
    },

    // Without a list nothing can be said of a coin, and a client that is told "unknown" gives up what it queued.
    knows: async (id) => {
      await listed()
      return (await list.find(id)) !== undefined
    },

    prices: servePrices({ pool, clock, list, latest, polls, soon, charge }),

    history: async (id, period, ip) => {
      await listed()
      const coin = await list.find(id)
      if (coin === undefined) throw new ApiError('NOT_FOUND', 'There is no such coin.')
      return histories.serve(coin, period, (await latest.all()).get(id), ip)
    },

    start: async () => {
      const first = list.refreshIfDue()
      // Whatever becomes of it later is the job's to mend and to log.
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, FIRST_LIST).unref())])
    },
    stop: () => soon.settled(),
  }
}
