import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { ProviderError, type MarketProvider } from '../../adapters/market-data/provider'
import type { Budget } from './budget'
import { watchedCoins } from './coins'
import type { StorePrices } from './price-store'

/** Coins that are polled: more than the list has. */
export const MOST_WATCHED = 600

interface Parts {
  readonly pool: Pool
  readonly provider: MarketProvider
  readonly budget: Budget | null
  /** PRICE_POLL_SECONDS in milliseconds. */
  readonly wished: number | undefined
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
  readonly store: StorePrices
}

export interface Polling {
  /** Polls the watched coins if it is their turn. */
  poll(): Promise<void>
  /** Fetches these coins out of turn; a failure is logged, not thrown. @returns whether it succeeded */
  fetchSoon(ids: readonly string[]): Promise<boolean>
}

/** Brings spot prices in. A provider that fails changes nothing that is stored; it is logged once until it recovers. */
export function polling(parts: Parts): Polling {
  const { pool, provider, budget, wished, clock, logger, store } = parts
  let failing = false

  async function fetch(ids: readonly string[], soon: boolean): Promise<boolean> {
    let failure: ProviderError | null = null
    for (let from = 0; from < ids.length; from += provider.mostIds) {
      try {
        // Stored before the next are asked for: a request that fails takes nothing from those before and after it.
        const prices = await provider.spotPrices(ids.slice(from, from + provider.mostIds), soon)
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

  return {
    poll: async () => {
      const ids = await watchedCoins(pool, provider.source, clock(), MOST_WATCHED)
      if (ids.length === 0) return
      if (budget !== null && !(await budget.takeTurn(wished, Math.ceil(ids.length / provider.mostIds)))) return
      await fetch(ids, false)
    },

    fetchSoon: async (ids) => {
      try {
        return await fetch(ids, true)
      } catch (error) {
        logger?.error({ err: error }, 'prices could not be stored')
        return false
      }
    },
  }
}
