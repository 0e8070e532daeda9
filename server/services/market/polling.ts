import type { FastifyBaseLogger } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { POLL_INTERVAL } from '../../../src/domain/live-prices'
import { type CallShare, type MarketProvider, ProviderError, type SpotPrice } from '../../adapters/market-data/provider'
import type { CallBudget } from './budget'
import { askedCoins, heldCoins } from './watched-coins'
import type { MarketSource } from '../../../src/contract/market'
import { inTransaction } from '../../db/open'
import { judgeAlerts, type Judgement } from '../alerts/fire-alerts'
import type { AlertMetrics } from '../alerts/metrics'
import { savePrices } from './prices'

interface PollingDeps {
  readonly pool: Pool
  readonly provider: MarketProvider
  readonly budget: CallBudget | null
  /** PRICE_POLL_SECONDS in milliseconds. */
  readonly wished: number | undefined
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
  readonly store: StorePrices
}

export interface Polling {
  /** Polls the watched coins if it is their turn. */
  poll(): Promise<void>
  /** Milliseconds after which every held coin was polled again. */
  round(): Promise<number>
  /** Fetches these coins out of turn; a failure is logged, not thrown. @returns whether it succeeded */
  fetchSoon(ids: readonly string[], share: CallShare): Promise<boolean>
}

/**
 * Brings spot prices in. Held coins set the pace; coins that are merely asked for come along in requests that have room.
 * A provider that fails changes nothing that is stored; it is logged once until it recovers.
 */
export function polling(deps: PollingDeps): Polling {
  const { pool, provider, budget, wished, clock, logger, store } = deps
  let failing = false

  async function fetch(ids: readonly string[], share: CallShare): Promise<boolean> {
    let failure: ProviderError | null = null
    for (let from = 0; from < ids.length; from += provider.mostIds) {
      try {
        // Stored before the next are asked for: a request that fails takes nothing from those before and after it.
        const prices = await provider.spotPrices(ids.slice(from, from + provider.mostIds), share)
        await store(prices, { history: true })
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failure = error
      }
    }
    note(failure)
    return failure === null
  }

  function note(failure: ProviderError | null): void {
    if (failure !== null) {
      logger?.[failing ? 'debug' : 'warn']({ failure: failure.failure, err: failure }, 'prices could not be fetched')
    } else if (failing) {
      logger?.info('prices are coming in again')
    }
    failing = failure !== null
  }

  const requestsFor = (held: readonly string[]): number => Math.max(1, Math.ceil(held.length / provider.mostIds))

  return {
    poll: async () => {
      const held = await heldCoins(pool, provider.source)
      const room = requestsFor(held) * provider.mostIds - held.length
      const asked = await askedCoins(pool, provider.source, held, clock(), room)
      if (held.length + asked.length === 0) return
      const turn = budget === null ? { all: true } : await budget.takeTurn(wished, requestsFor(held))
      if (turn === null) return
      await fetch(turn.all ? [...held, ...asked] : held.slice(0, provider.mostIds), 'polling')
    },

    round: async () => {
      if (budget === null) return wished ?? POLL_INTERVAL
      return budget.round(wished, requestsFor(await heldCoins(pool, provider.source)))
    },

    fetchSoon: async (ids, share) => {
      try {
        return await fetch(ids, share)
      } catch (error) {
        logger?.error({ err: error }, 'prices could not be stored')
        return false
      }
    },
  }
}

/** Any number that nothing else in the database uses as an advisory lock. */
const PRICES_LOCK = 7_204_815_330_113

interface PriceStoreDeps {
  readonly pool: Pool
  readonly source: MarketSource
  /** MARKET_DATA names the source; else alerts are judged by it only as long as they were by no other. */
  readonly isNamed?: boolean
  readonly clock: () => number
  readonly metrics?: AlertMetrics | undefined
  readonly logger?: FastifyBaseLogger | undefined
  /** Called after prices were stored. */
  readonly onPrices: () => void
}

/** Stores what the source said, by coin id; with `history` it goes into the history as well. */
export type StorePrices = (prices: ReadonlyMap<string, SpotPrice>, options: { history: boolean }) => Promise<void>

/**
 * Prices come in together with the alerts that they set off, or not at all: a process that dies in between would leave a
 * crossing that nobody looks for again. Updates come one after the other, over all processes, so that the latest prices
 * have the last word. Alerts that cannot be judged cost no prices. Of more alerts than are judged at once, the rest has
 * transactions of its own: meanwhile others get on, and newer prices may come in between.
 */
export function priceStore({
  pool,
  source,
  isNamed = true,
  clock,
  metrics,
  logger,
  onPrices,
}: PriceStoreDeps): StorePrices {
  let refused = false
  function tellOfRefusal(judgement: Judgement | null): void {
    if (judgement === null && !refused) {
      logger?.warn(
        { source },
        'alerts are NOT judged: they last were by other prices. MARKET_DATA=%s judges them by these',
        source,
      )
    }
    refused = judgement === null
  }

  async function judge(client: PoolClient, coins: readonly string[]): Promise<Judgement | null> {
    const started = performance.now()
    await client.query('SAVEPOINT alerts')
    try {
      const judgement = await judgeAlerts(client, source, coins, clock(), isNamed)
      tellOfRefusal(judgement)
      metrics?.evaluated((performance.now() - started) / 1000)
      return judgement
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT alerts')
      logger?.error({ err: error }, 'alerts could not be judged')
      return null
    }
  }

  const inTurn = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [PRICES_LOCK])
      return work(client)
    })

  /** The prices are in by then: what cannot be judged now is found by the next update. */
  const judgeOn = (coins: readonly string[]): Promise<Judgement | null> =>
    inTurn((client) => judge(client, coins)).catch((error: unknown) => {
      logger?.error({ err: error }, 'more alerts could not be judged')
      return null
    })

  return async (prices, { history }) => {
    const coins = [...prices.keys()]
    let judged = await inTurn(async (client) => {
      await savePrices(client, source, prices, clock(), { history })
      return judge(client, coins)
    })
    onPrices()
    while (judged !== null) {
      metrics?.crossed(judged.crossings)
      judged = judged.more ? await judgeOn(coins) : null
    }
  }
}
