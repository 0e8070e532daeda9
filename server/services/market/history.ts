import { setTimeout as delay } from 'node:timers/promises'
import { GRANULARITIES, type Granularity } from '../../../src/domain/granularity'
import { PERIOD_RULES, type Period } from '../../../src/domain/period'
import { withTimeLimit } from '../../../src/domain/waits'
import { type CallShare, ProviderError, type SpotPrice } from '../../adapters/market-data/provider'
import { ApiError } from '../../api-error'
import { inTransaction } from '../../db/open'
import { nodeTimer } from '../../waits'
import type { Charge } from '../address-limits'
import { heldAmong, type KnownCoin } from './coins'
import { claimFetch, coveredSpan, letGo, levelKey, noteAnswer, noteFailure } from './fetches'
import { chartSpan, composeHistory, gapsIn, isWanting, splitByDensity, type Wanted, wantedLevels } from './history-plan'
import type { ServedHistory } from './market'
import { foldPoints, newestEnd, readPoints, writeProvided } from './points'
import type { FeedDeps } from './polling'

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
/** A caller that has waited for the provider so long is served what is stored; what was asked for goes on. */
const HISTORY_TIMEOUT_MS = 12_000

/**
 * History as this server keeps it: what it polled, and on demand what the provider has. However many ask for the same
 * at the same moment, in this process or another, the provider is asked once; what it answers is stored before it is
 * served, and what is stored is served when it fails.
 */
export function historyStore({ pool, provider, clock, charge, logger }: FeedDeps & { readonly charge: Charge }) {
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
        if (answer.times.length > 0) await foldPoints(client, [coin.key], answer.times[0]!)
        await noteAnswer(client, levelKey(coin, granularity), { from, until: now })
      })
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

  /** One request to the provider for all who find the same missing; it counts for the first who may have it made. */
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

  async function ensure(
    ip: string | undefined,
    coin: KnownCoin,
    { granularity, ...span }: Wanted,
    times: Float64Array,
  ): Promise<Outcome> {
    const lookedAt = clock()
    const gaps = gapsIn(times, granularity, span)
    if (gaps.length === 0) return 'known'
    const covered = await coveredSpan(pool, levelKey(coin, granularity), lookedAt)
    return isWanting(gaps, granularity, covered) ? fetchOnce({ ip, coin, granularity, lookedAt }) : 'known'
  }

  /** A caller that was answered late does not hear of an error, and of several at once only the first is heard of. */
  async function reported<T>({ id }: KnownCoin, { granularity }: Wanted, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      logger?.error({ coin: id, granularity, err: error }, 'history could not be stored')
      throw error
    }
  }

  return {
    /** @throws ApiError MARKET_DATA_UNAVAILABLE when nothing is stored and the provider fails */
    serve: async (
      coin: KnownCoin,
      period: Period,
      spot: SpotPrice | undefined,
      ip?: string,
    ): Promise<ServedHistory> => {
      const now = clock()
      const { granularity } = PERIOD_RULES[period]
      const wanted = wantedLevels(period, provider.reach, now)
      let span = chartSpan(period, now)
      const finest =
        GRANULARITIES.find((level) => level === granularity || wanted.some((want) => want.granularity === level)) ??
        granularity
      let levels = await readPoints(pool, coin.key, finest, span.from, now)
      const asked = wanted.map((want) => reported(coin, want, ensure(ip, coin, want, levels[want.granularity].times)))
      const outcomes = await withTimeLimit(nodeTimer, HISTORY_TIMEOUT_MS, Promise.all(asked), () => ['failed'] as const)
      levels = await readPoints(pool, coin.key, granularity, span.from, now)

      const complete = outcomes.every((outcome) => outcome === 'known')
      if (!complete && GRANULARITIES.every((level) => levels[level].times.length === 0)) {
        const newest = await newestEnd(pool, coin.key, now)
        if (newest === null) {
          throw new ApiError('MARKET_DATA_UNAVAILABLE', `The history of ${coin.name} cannot be had at the moment.`)
        }
        // Stored points are served however old: the period then ends with them.
        span = chartSpan(period, Math.min(now, newest))
        levels = await readPoints(pool, coin.key, granularity, span.from, span.until)
      }
      return { answer: composeHistory(levels, granularity, span, spot, provider.source), complete }
    },
  }
}
