import { POLL_INTERVAL } from '../../../../src/domain/live-prices'
import { type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import type { FeedDeps, StorePrices } from '../feed'
import type { CallBudget } from './call-budget'
import { askedCoins, heldCoins } from './watched-coins'

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
