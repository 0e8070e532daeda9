import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { MarketSource } from '../../../../src/contract/market'
import type { Exchange } from '../../../../src/domain/exchanges'
import type { Env } from '../../../env'
import type { PeriodicJob } from '../../../jobs/periodic'
import type { ExchangePrices } from '../exchange/prices'

/** The exchanges that MARKET_STREAM has tried, in turn; none beside simulated prices. */
export function exchangesOf(
  { MARKET_STREAM: named }: Pick<Env, 'MARKET_STREAM'>,
  source: MarketSource,
  logger?: FastifyBaseLogger,
): readonly Exchange[] {
  if (named === 'none') return []
  if (source === 'simulated') {
    logger?.warn('MARKET_STREAM is not used: real prices do not mix with simulated ones')
    return []
  }
  return named === 'auto' ? ['kraken', 'coinbase'] : [named]
}

interface PricesJobDeps {
  readonly poll: () => Promise<void>
  /** Milliseconds from one poll to the next. */
  readonly every: number
  /** Null: no exchange is listened to. */
  readonly live: Pick<ExchangePrices, 'run'> | null
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Polls the provider, and listens to an exchange. Both are one job: the provider's own prices, by which the exchange's are
 * judged, are known to the process that polls alone (decision 0134).
 */
export function pricesJob({ poll, every, live, logger }: PricesJobDeps): PeriodicJob {
  const name = 'market-prices'
  if (live === null) return { name, every, run: poll }

  async function pollUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await poll().catch((error: unknown) => logger?.error({ err: error, job: name }, 'prices could not be polled'))
      // An abort ends the pause early.
      await delay(every, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    name,
    every,
    run: async (signal) => {
      const ending = new AbortController()
      const end = () => ending.abort()
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      // Neither goes on without the other, since the next run begins both.
      const both = [pollUntil(ending.signal), live.run(ending.signal)].map((work) => work.finally(end))
      const results = await Promise.allSettled(both)
      signal.removeEventListener('abort', end)
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  }
}
