import type { FastifyBaseLogger } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { POLL_INTERVAL } from '../../../src/domain/poll-interval'
import { type CallShare, type MarketProvider, ProviderError, type SpotPrice } from '../../adapters/market-data/provider'
import type { Changes } from '../../db/changes'
import { inTransaction } from '../../db/open'
import { type CoinsJudgement, judgeAlerts, type Unjudged } from '../alerts/judge-alerts'
import type { AlertMetrics } from '../alerts/metrics'
import type { CallBudget } from './budget'
import { askedCoins, heldCoins } from './coins'
import { savePrices } from './prices'

/** Database, provider and clock of what brings market data in. */
export interface FeedDeps {
  readonly pool: Pool
  readonly provider: MarketProvider
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

interface PollingDeps extends FeedDeps {
  readonly budget: CallBudget | null
  /** PRICE_POLL_SECONDS in milliseconds. */
  readonly configured: number | undefined
  readonly store: StorePrices
}

export type Polling = ReturnType<typeof polling>

/**
 * Brings spot prices in. Held coins set the pace; coins that are merely asked for come along in requests that have room.
 * A provider that fails changes nothing that is stored; the failure is logged once until the provider recovers.
 */
export function polling({ pool, provider, budget, configured, clock, logger, store }: PollingDeps) {
  const { source, mostIds } = provider
  let failing = false

  async function fetch(ids: readonly string[], share: CallShare): Promise<boolean> {
    let failure: ProviderError | null = null
    for (let from = 0; from < ids.length; from += mostIds) {
      try {
        // Stored before the next are asked for: a request that fails takes nothing from those before and after it.
        await store(await provider.spotPrices(ids.slice(from, from + mostIds), share), { history: true })
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failure = error
      }
    }
    if (failure !== null) {
      logger?.[failing ? 'debug' : 'warn']({ failure: failure.failure, err: failure }, 'prices could not be fetched')
    } else if (failing) {
      logger?.info('prices are coming in again')
    }
    failing = failure !== null
    return !failing
  }

  const requestsFor = (held: readonly string[]): number => Math.max(1, Math.ceil(held.length / mostIds))

  return {
    /** Polls the watched coins if it is their turn. */
    poll: async (): Promise<void> => {
      const held = await heldCoins(pool, source)
      const room = requestsFor(held) * mostIds - held.length
      const asked = await askedCoins(pool, source, held, clock(), room)
      if (held.length + asked.length === 0) return
      const turn = budget === null ? { all: true } : await budget.takeTurn(configured, requestsFor(held))
      if (turn === null) return
      await fetch(turn.all ? [...held, ...asked] : held.slice(0, mostIds), 'polling')
    },

    /** Milliseconds after which every held coin was polled again. */
    round: async (): Promise<number> =>
      budget === null
        ? (configured ?? POLL_INTERVAL)
        : budget.round(configured, requestsFor(await heldCoins(pool, source))),

    /** Fetches these coins out of turn; a failure is logged, not thrown. @returns whether it succeeded */
    fetchSoon: (ids: readonly string[], share: CallShare): Promise<boolean> =>
      fetch(ids, share).catch((error: unknown) => {
        logger?.error({ err: error }, 'prices could not be stored')
        return false
      }),
  }
}

/** Any number that nothing else in the database uses as an advisory lock. */
const PRICES_LOCK = 7_204_815_330_113

interface PriceStoreDeps extends Omit<FeedDeps, 'provider'> {
  readonly source: MarketSource
  /** MARKET_DATA names the source; else alerts are judged by it only as long as they were by no other. */
  readonly isNamed?: boolean
  readonly metrics?: AlertMetrics | undefined
  /** Called after prices were stored. */
  readonly onPrices?: () => void
  /** Open streams hear of stored prices, crossings and changed widgets from here, once they are committed. */
  readonly changes?: Pick<Changes, 'publish'>
}

/** Stores what the source said, by coin id; with `history` it goes into the history as well. */
export type StorePrices = (prices: ReadonlyMap<string, SpotPrice>, options: { history: boolean }) => Promise<void>

/**
 * Prices come in together with the alerts that they set off, or not at all: a process that dies in between would leave a
 * crossing that nobody looks for again. Updates come one after the other, over all processes, so that the latest prices
 * have the last word. Alerts that cannot be judged cost no prices. Of more alerts than are judged at once, the rest has
 * transactions of its own: meanwhile others get on, and newer prices may come in between.
 */
export function priceStore(deps: PriceStoreDeps): StorePrices {
  const { pool, source, isNamed = true, clock, metrics, logger, onPrices, changes } = deps
  let refused = false

  async function judge(
    client: PoolClient,
    coins: readonly string[],
    rest: Unjudged | null,
  ): Promise<CoinsJudgement | null> {
    const started = performance.now()
    await client.query('SAVEPOINT alerts')
    try {
      const judgement = await judgeAlerts(client, source, coins, clock(), { isNamed, rest })
      if (judgement === null && !refused) {
        const message = 'alerts are NOT judged: they last were by other prices. MARKET_DATA=%s judges them by these'
        logger?.warn({ source }, message, source)
      }
      refused = judgement === null
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
  const judgeOn = (coins: readonly string[], rest: Unjudged | null): Promise<CoinsJudgement | null> =>
    inTurn((client) => judge(client, coins, rest)).catch((error: unknown) => {
      logger?.error({ err: error }, 'more alerts could not be judged')
      return null
    })

  return async (prices, { history }) => {
    const coins = [...prices.keys()]
    let judged = await inTurn(async (client) => {
      await savePrices(client, source, prices, clock(), { history })
      return judge(client, coins, null)
    })
    onPrices?.()
    changes?.publish([{ kind: 'prices' }])
    while (judged !== null) {
      metrics?.crossed(judged.crossings)
      changes?.publish(judged.changes)
      judged = judged.more ? await judgeOn(coins, judged.rest) : null
    }
  }
}
