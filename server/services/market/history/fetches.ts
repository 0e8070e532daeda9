import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Granularity } from '../../../../src/domain/granularity'
import type { Series } from '../../../../src/domain/series'
import { type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import { inTransaction } from '../../../db/open'
import type { Charge } from '../../address-limits'
import { heldAmong } from '../prices/watched-coins'
import type { KnownCoin } from '../coin-list'
import { writeCloses } from './closes'
import { claimFetch, letGo, levelKey, noteAnswer, noteFailure } from './fetch-claims'
import { type Span, splitByDensity } from './plan'
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

/** @param span what the provider was asked for, until now; milliseconds */
async function storeAnswer(pool: Pool, coin: KnownCoin, granularity: Granularity, answer: Series, span: Span) {
  await inTransaction(pool, async (client) => {
    // The levels of a coin are fetched side by side, and each is folded into the coarser ones: one after the other.
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [HISTORY_LOCK, coin.key])
    for (const part of splitByDensity(answer, granularity)) {
      await writeProvided(client, coin.key, part.granularity, part.series, span.until)
    }
    if (granularity === 'daily') await writeCloses(client, coin.key, answer, span.until)
    if (answer.times.length > 0) await foldPoints(client, [coin.key], answer.times[0]!)
    await noteAnswer(client, levelKey(coin, granularity), span)
  })
}

/** Notes that a level could not be had, or that the provider was not asked for it. @throws `error` if it is not the provider's */
async function noteFailed(
  { pool, clock, logger }: FeedDeps,
  {
    coin,
    granularity,
    share,
  }: { readonly coin: KnownCoin; readonly granularity: Granularity; readonly share: CallShare },
  error: unknown,
): Promise<void> {
  const retryAfter = error instanceof ProviderError ? error.retryAfter : null
  // The provider was not asked, and may be as soon as the share allows it, or once a widget has the coin.
  const isUnasked = error instanceof ProviderError && error.failure === 'budget'
  if (isUnasked) await letGo(pool, levelKey(coin, granularity))
  else await noteFailure(pool, levelKey(coin, granularity), clock(), retryAfter)
  if (!(error instanceof ProviderError)) throw error
  const about = { coin: coin.id, granularity, share, failure: error.failure, err: error }
  logger?.[isUnasked ? 'debug' : 'warn'](about, 'no history from the provider')
}

/** Asks the provider and stores the answer; the claim is held. */
async function fetchLevel(
  deps: HistoryFetcherDeps,
  { ip, coin, granularity }: Omit<Ask, 'lookedAt'>,
  share: CallShare,
): Promise<Outcome> {
  const { pool, provider, clock, onStored } = deps
  try {
    const answer = await provider.history(coin.id, granularity, share, ip === undefined ? 'ready' : 'history')
    const now = clock()
    await storeAnswer(pool, coin, granularity, answer, { from: now - (provider.reach[granularity] ?? 0), until: now })
    onStored(coin)
    return 'known'
  } catch (error) {
    await noteFailed(deps, { coin, granularity, share }, error)
    return 'failed'
  }
}

/** Asks the provider if the address may have that done; the claim is held. */
async function fetchFor(deps: HistoryFetcherDeps, ask: Omit<Ask, 'lookedAt'>): Promise<Outcome> {
  const { pool, charge } = deps
  const { ip, coin, granularity } = ask
  try {
    const share = (await heldAmong(pool, [coin.id])).has(coin.id) ? 'held' : 'asked'
    if (await charge(`${share}-history`, ip)) return await fetchLevel(deps, ask, share)
  } catch (error) {
    await letGo(pool, levelKey(coin, granularity))
    throw error
  }
  await letGo(pool, levelKey(coin, granularity))
  return 'refused'
}

/**
 * Asks the provider for levels of history and stores the answers. However many find the same missing at the same moment, in
 * this process or another, the provider is asked once; the request counts for the first address that may have it made.
 */
export function historyFetcher(deps: HistoryFetcherDeps) {
  const { pool, clock, logger } = deps
  const flights = new Map<string, Promise<Outcome>>()

  /** Waits for another process that has claimed the same. */
  async function claimAndFetch({ ip, coin, granularity, lookedAt }: Ask): Promise<Outcome> {
    for (let waited = 0; waited <= LOOK_FOR; waited += LOOK_EVERY) {
      const claim = await claimFetch(pool, levelKey(coin, granularity), lookedAt, clock())
      if (claim === 'mine') return fetchFor(deps, { ip, coin, granularity })
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
