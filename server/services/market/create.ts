import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../../api-error'
import type { CoinId } from '../../../src/domain/ids'
import type { Database } from '../../db/open'
import type { Env } from '../../env'
import type { AlertMetrics } from '../alerts/metrics'
import { pollPace, USUAL_PACE } from './budget'
import { chooseProvider } from './choose-provider'
import { coinList } from './coin-list'
import { noteAsked, type KnownCoin } from './coins'
import { historyStore } from './history'
import { marketJobs } from './jobs'
import type { RunningMarket } from './market'
import { latestPrices } from './latest-prices'
import { polling } from './polling'
import { priceStore } from './price-store'
import { soonFetcher } from './soon'

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
/** How often an interest in a coin is written down. Milliseconds. */
const NOTE_EVERY = 30 * 60_000

export async function createMarket({ env, database, clock, metrics, logger }: Parts): Promise<RunningMarket> {
  const { pool } = database
  const { provider, budget } = await chooseProvider({ env, pool, clock, logger })
  const { source, attribution } = provider

  const latest = latestPrices(pool, source, clock)
  const store = priceStore({ pool, source, clock, metrics, logger, onPrices: () => latest.forget() })
  const list = coinList({ pool, provider, clock, logger, store })
  const wished = env.PRICE_POLL_SECONDS === undefined ? undefined : env.PRICE_POLL_SECONDS * 1000
  const polls = polling({ pool, provider, budget, wished, clock, logger, store })
  const pollEvery = wished ?? USUAL_PACE
  const soon = soonFetcher((ids) => polls.fetchSoon(ids), clock)
  const histories = historyStore({ pool, provider, clock, logger })

  /** A price that was not confirmed for so long is asked for out of turn. Milliseconds. */
  const staleAfter = 1.5 * Math.max(USUAL_PACE, budget === null ? pollEvery : pollPace({ total: budget.total, used: 0, now: clock() }, wished, 1)) // prettier-ignore
  const noted = new Map<number, number>()
  async function note(coins: readonly KnownCoin[], now: number): Promise<void> {
    const due = coins.filter(({ key }) => Math.abs(now - (noted.get(key) ?? -Infinity)) > NOTE_EVERY)
    if (due.length === 0) return
    for (const { key } of due) noted.set(key, now)
    await noteAsked(pool, due.map(({ key }) => key), now) // prettier-ignore
  }

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

    prices: async (ids) => {
      const now = clock()
      const coins = (await Promise.all([...new Set(ids)].map((id) => list.find(id)))).filter(
        (coin) => coin !== undefined,
      )
      await note(coins, now)
      const before = await latest.all()
      const stale = coins.filter(({ id }) => Math.abs(now - (before.get(id)?.seenAt ?? -Infinity)) > staleAfter)
      if (stale.length > 0) await soon.ask(stale.map(({ id }) => id))
      const prices = await latest.all()
      return new Map(coins.flatMap(({ id }) => {
        const price = prices.get(id)
        return price === undefined ? [] : [[id, { usd: price.usd, at: price.at }] as const]
      })) // prettier-ignore
    },

    history: async (id, period) => {
      await listed()
      const coin = await list.find(id)
      if (coin === undefined) throw new ApiError('NOT_FOUND', 'There is no such coin.')
      return histories.serve(coin, period, (await latest.all()).get(id))
    },

    start: async () => {
      const first = list.refreshIfDue()
      // Whatever becomes of it later is the job's to mend and to log.
      await Promise.race([first, new Promise((resolve) => setTimeout(resolve, FIRST_LIST).unref())])
    },
    stop: () => soon.settled(),
  }
}
