import { setTimeout as delay } from 'node:timers/promises'
import type { Granularity } from '../../../../src/domain/granularity'
import { type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import { inTransaction } from '../../../db/open'
import type { Charge } from '../../address-limits'
import { heldAmong } from '../prices/watched-coins'
import type { KnownCoin } from '../coin-list'
import { writeCloses } from './closes'
import { claimFetch, letGo, levelKey, noteAnswer, noteFailure } from './fetch-claims'
import { splitByDensity } from './plan'
import { foldPoints, writeProvided } from './points'
import type { FeedDeps } from '../feed'

/** Any number that nothing else in the database uses as an advisory lock; the lock's second number is the coin. */
const HISTORY_LOCK = 7_204_815

/** `refused`: the address that asks has had the provider asked too often. */
type Outcome = 'known' | 'failed' | 'refused'

interface Ask {
  /** The address that asks; undefined: the server itself. */
  readonly ip: string | undefined
  readonly coin: KnownCoin
  readonly granularity: Granularity
  /** When points were found missing. */
  readonly lookedAt: number
}

/** How often to look whether another process has got what is missing, and for how long. Milliseconds. */
const LOOK_EVERY = 100
const LOOK_FOR = 10_000

interface HistoryFetcherDeps extends FeedDeps {
  readonly charge: Charge
  /** Called after an answer of the provider was stored. */
  readonly onStored: (coin: KnownCoin) => void
}

/**
 * Asks the provider for levels of history and stores the answers. However many find the same missing at the same moment, in
 * this process or another, the provider is asked once; the request counts for the first address that may have it made.
 */
export function historyFetcher({ pool, provider, clock, charge, logger, onStored }: HistoryFetcherDeps) {
  const flights = new Map<string, Promise<Outcome>>()

  /** Asks the provider and stores the answer; the claim is held. */
  async function fetchLevel(coin: KnownCoin, granularity: Granularity, share: CallShare): Promise<Outcome> {
    try {
      const answer = await provider.history(coin.id, granularity, share)
      const now = clock()
      const from = now - (provider.reach[granularity] ?? 0)
      await inTransaction(pool, async (client) => {
        // The levels of a coin are fetched side by side, and each is folded into the coarser ones: one after the other.
        await client.query('SELECT pg_advisory_xact_lock($1, $2)', [HISTORY_LOCK, coin.key])
        for (const part of splitByDensity(answer, granularity)) {
          await writeProvided(client, coin.key, part.granularity, part.series, now)
        }
        if (granularity === 'daily') await writeCloses(client, coin.key, answer, now)
        if (answer.times.length > 0) await foldPoints(client, [coin.key], answer.times[0]!)
        await noteAnswer(client, levelKey(coin, granularity), { from, until: now })
      })
      onStored(coin)
      return 'known'
    } catch (error) {
      // The provider was not asked, and may be as soon as the share allows it, or once a widget has the coin.
      if (error instanceof ProviderError && error.failure === 'budget') {
        await letGo(pool, levelKey(coin, granularity))
        logger?.debug({ coin: coin.id, granularity, share, err: error }, 'no calls for history')
        return 'failed'
      }
      const retryAfter = error instanceof ProviderError ? error.retryAfter : null
      await noteFailure(pool, levelKey(coin, granularity), clock(), retryAfter)
      if (!(error instanceof ProviderError)) throw error
      logger?.warn({ coin: coin.id, granularity, failure: error.failure, err: error }, 'no history from the provider')
      return 'failed'
    }
  }

  /** Asks the provider if the address may have that done; the claim is held. */
  async function fetchFor(ip: string | undefined, coin: KnownCoin, granularity: Granularity): Promise<Outcome> {
    try {
      const share = (await heldAmong(pool, [coin.id])).has(coin.id) ? 'held' : 'asked'
      if (await charge(`${share}-history`, ip)) return await fetchLevel(coin, granularity, share)
    } catch (error) {
      await letGo(pool, levelKey(coin, granularity))
      throw error
    }
    await letGo(pool, levelKey(coin, granularity))
    return 'refused'
  }

  async function claimAndFetch({ ip, coin, granularity, lookedAt }: Ask): Promise<Outcome> {
    for (let waited = 0; waited <= LOOK_FOR; waited += LOOK_EVERY) {
      const claim = await claimFetch(pool, levelKey(coin, granularity), lookedAt, clock())
      if (claim === 'mine') return fetchFor(ip, coin, granularity)
      if (claim !== 'taken') return claim === 'answered' ? 'known' : 'failed'
      await delay(LOOK_EVERY)
    }
    return 'failed'
  }

  async function fetchOnce(ask: Ask): Promise<Outcome> {
    const name = `${ask.coin.key}:${ask.granularity}`
    for (let running = flights.get(name); running !== undefined; running = flights.get(name)) {
      const outcome = await running
      if (outcome !== 'refused') return outcome
    }
    const flight = claimAndFetch(ask).finally(() => flights.delete(name))
    flights.set(name, flight)
    return flight
  }

  /** A caller that was answered late does not hear of an error, and of several at once only the first is heard of. */
  return async (ask: Ask): Promise<Outcome> => {
    try {
      return await fetchOnce(ask)
    } catch (error) {
      logger?.error({ coin: ask.coin.id, granularity: ask.granularity, err: error }, 'history could not be stored')
      throw error
    }
  }
}
