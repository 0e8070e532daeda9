import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { POLL_INTERVAL } from '../../../src/domain/live-prices'
import { type CallShare, ProviderError, type MarketProvider } from '../../adapters/market-data/provider'
import { type CallBudget } from './budget'
import type { StorePrices } from './price-store'
import { askedCoins, heldCoins } from './watched-coins'

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
