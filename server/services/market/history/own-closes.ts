import { setTimeout as delay } from 'node:timers/promises'
import { HOUR, MINUTE } from '../../../../src/domain/granularity'
import { isDue, pauseAfter } from '../../../../src/domain/waits'
import { ProviderError, type ProviderFailure } from '../../../adapters/market-data/provider'
import type { FeedDeps } from '../feed'
import { fillCoin, type FillRow, fillRows, wasNeverAsked } from './fill-coin'

/** Failures that say nothing of the coin: the others would meet the same. */
const OF_THE_PROVIDER: readonly ProviderFailure[] = ['rate-limited', 'budget', 'unreachable']
const PAUSES = { first: 5_000, growth: 2, longest: HOUR }
const PAUSES_OF_A_COIN = { first: 5 * MINUTE, growth: 2, longest: 6 * HOUR }
/** Questions at the same time. */
const SIDE_BY_SIDE = 4
/** From one look at the coins that wait to the next, milliseconds, and for how long they are looked at before the job's turn. */
const LOOK_EVERY = 5_000
const LOOK_FOR = 2 * MINUTE
/** How long a coin whose closes were there already is not told of again, milliseconds. */
const TOLD_FOR = 6 * HOUR

interface OwnClosesDeps extends FeedDeps {
  /** Coins that may be asked for in a minute, over all processes: the key's pace allows them beside polls and charts. */
  readonly perMinute: number
  /** Closes of these coins have come, or were there already. */
  readonly onFilled: (ids: readonly string[]) => void
  /** Waits; another one in tests. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type OwnCloses = ReturnType<typeof ownCloses>

const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined)

/** Pauses after failures: of the provider, and of single coins. */
function failurePauses({ clock, logger }: Pick<FeedDeps, 'clock' | 'logger'>) {
  const resting = new Map<number, { readonly failures: number; readonly until: number }>()
  let failures = 0
  let retryAt = 0
  const isPaused = (): boolean => !isDue(retryAt, clock(), PAUSES.longest)
  return {
    isPaused,
    /** Milliseconds for which the provider is left alone. */
    left: (): number => (isPaused() ? retryAt - clock() : 0),
    rests: ({ key }: FillRow): boolean => {
      const rest = resting.get(key)
      return rest !== undefined && !isDue(rest.until, clock(), PAUSES_OF_A_COIN.longest)
    },
    succeeded: ({ key }: FillRow): void => {
      resting.delete(key)
      if (!isPaused()) failures = 0
    },
    failed: ({ key, id }: FillRow, error: ProviderError): void => {
      const now = clock()
      let count = 0
      if (!OF_THE_PROVIDER.includes(error.failure)) {
        count = (resting.get(key)?.failures ?? 0) + 1
        resting.set(key, { failures: count, until: now + pauseAfter(count, PAUSES_OF_A_COIN) })
      } else if (!isPaused()) {
        // Of questions at the same time the first failure counts.
        count = failures += 1
        retryAt = now + Math.max(error.retryAfter ?? 0, pauseAfter(count, PAUSES))
      }
      logger?.[count === 1 ? 'warn' : 'debug'](
        { failure: error.failure, err: error, coin: id },
        "the past year of a user's coin could not be fetched",
      )
    },
  }
}

/** Asks for coins that nobody has asked for, some at a time, as far as pace and pauses allow. */
function coinAsker(deps: OwnClosesDeps, pauses: ReturnType<typeof failurePauses>) {
  const { pool, provider, perMinute, clock } = deps

  async function room(): Promise<number> {
    const now = clock()
    const { rows } = await pool.query<{ asked: number }>(
      `SELECT count(*)::int AS asked FROM market_coins WHERE source = $1 AND closes_asked_at BETWEEN $2 AND $3`,
      [provider.source, now - MINUTE, now],
    )
    return Math.max(0, perMinute - rows[0]!.asked)
  }

  /** @returns whether its closes have come by it */
  async function ask(coin: FillRow): Promise<boolean> {
    try {
      const isFilled = await fillCoin(deps, coin, 'held')
      pauses.succeeded(coin)
      return isFilled
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      pauses.failed(coin, error)
      return false
    }
  }

  /** @returns ids of those that came */
  return async (never: readonly FillRow[], signal: AbortSignal): Promise<readonly string[]> => {
    const mayAsk = () => !signal.aborted && !pauses.isPaused()
    if (never.length === 0 || !mayAsk()) return []
    const turn = never.slice(0, await room())
    const came: string[] = []
    for (let from = 0; from < turn.length && mayAsk(); from += SIDE_BY_SIDE) {
      const some = turn.slice(from, from + SIDE_BY_SIDE)
      const answers = await Promise.all(some.map(ask))
      came.push(...some.flatMap(({ id }, index) => (answers[index] ? [id] : [])))
    }
    return came
  }
}

/**
 * Asks the provider for the past year of coins of which users have widgets, as soon as they do: a newcomer sees no place of
 * a pair before. One coin that fails keeps no other waiting; a provider that fails is left alone for as long as it says.
 */
export function ownCloses(deps: OwnClosesDeps) {
  const { pool, provider, clock, logger, onFilled, pause = wait } = deps
  const waiting = new Set<string>()
  const toldAt = new Map<string, number>()
  const closing = new AbortController()
  const pauses = failurePauses(deps)
  const askFor = coinAsker(deps, pauses)
  const isOpen = (row: FillRow): boolean => wasNeverAsked(row, clock()) && !pauses.rests(row)

  async function look(): Promise<void> {
    const asked = [...waiting]
    const rows = await fillRows(pool, provider.source, asked)
    // Closes that were there are in no matrix yet; of a coin that is too young for any they never will be.
    const isRecent = (id: string) => Math.abs(clock() - (toldAt.get(id) ?? -Infinity)) < TOLD_FOR
    const there = rows.filter((row) => !wasNeverAsked(row, clock()) && !isRecent(row.id)).map(({ id }) => id)
    const came = await askFor(rows.filter(isOpen), closing.signal)
    const left = new Set(rows.filter((row) => isOpen(row) && !came.includes(row.id)).map(({ id }) => id))
    for (const id of asked) if (!left.has(id)) waiting.delete(id)
    const news = [...there, ...came]
    for (const id of news) toldAt.set(id, clock())
    if (news.length > 0) onFilled(news)
  }

  async function lookOn(): Promise<void> {
    const end = clock() + LOOK_FOR
    for (;;) {
      await look()
      if (waiting.size === 0 || closing.signal.aborted || clock() >= end) break
      await pause(Math.min(Math.max(pauses.left(), LOOK_EVERY), MINUTE), closing.signal)
    }
    // The job goes on with them.
    waiting.clear()
  }

  let underWay: Promise<void> | null = null
  return {
    /** Asks for those of these coins that nobody has asked for, and tells of those that came. */
    ask: async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
      const came = await askFor((await fillRows(pool, provider.source, ids)).filter(isOpen), signal)
      if (came.length > 0) onFilled(came)
    },
    /** A widget holds these coins now, of which the matrix knows too little. Does not wait for them. */
    soon: (ids: readonly string[]): void => {
      if (ids.length === 0 || closing.signal.aborted) return
      for (const id of ids) waiting.add(id)
      underWay ??= lookOn()
        .catch((error: unknown) => logger?.error({ err: error }, "daily closes of users' coins could not be stored"))
        .finally(() => {
          underWay = null
        })
    },
    /** Resolves when nothing is under way. */
    stop: async (): Promise<void> => {
      closing.abort()
      await underWay
    },
  }
}
