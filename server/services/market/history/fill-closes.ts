import type { Pool } from 'pg'
import { MATRIX_DAYS, utcDayOf } from '../../../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../../../src/domain/granularity'
import { isDue, pauseAfter } from '../../../../src/domain/waits'
import { type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import { inTransaction } from '../../../db/open'
import type { PeriodicJob } from '../../../jobs/periodic'
import type { CallBudget } from '../prices/call-budget'
import { bestCoins, writeCloses } from './closes'
import { heldAmong, idsOfWatched } from '../prices/watched-coins'
import type { CoinList } from '../coin-list'
import type { FeedDeps } from '../feed'

const PAUSES_AFTER_FAILURE = { first: 5 * MINUTE, growth: 2, longest: 6 * HOUR }

interface FillDeps extends FeedDeps {
  /** Null where calls cost nothing: all coins are filled in one run. */
  readonly budget: Pick<CallBudget, 'hasSpare'> | null
  readonly list: Pick<CoinList, 'all'>
}

/** How often days are looked for that were missed: all closes of all coins are counted for it. Milliseconds. */
const GAPS_EVERY = 30 * MINUTE

/**
 * Asks the provider for the past year of coins whose closes this server has not seen: watched coins first, then the best by
 * market cap. One call a run, and only of calls that users leave over; a failure pauses it, and puts the coin behind the
 * others. Days that were missed later, while no server ran, are asked for again, at most once a day a coin. A call while a run is under way waits for that one.
 */
export function fillCloses(deps: FillDeps): PeriodicJob['run'] {
  const { pool, provider, budget, clock, list, logger } = deps
  const { source } = provider
  const wanting = coinsToFill(deps)
  const failed = new Set<number>()
  let failures = 0
  let retryAt = 0

  /** @returns whether the provider was asked and has answered */
  async function fill({ key, id, asked_at }: FillRow, share: CallShare): Promise<boolean> {
    const now = clock()
    if (!(await claim(pool, key, asked_at, now))) return false
    try {
      const closes = await provider.history(id, 'daily', share, 'closes')
      await inTransaction(pool, (client) => writeCloses(client, key, closes, clock()))
      failed.delete(key)
      return true
    } catch (error) {
      failed.add(key)
      await claim(pool, key, now, asked_at)
      throw error
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const watched = await idsOfWatched(pool, source, clock())
    const found = await wanting([...new Set([...watched, ...bestCoins(await list.all())])])
    const coins = found.toSorted((a, b) => Number(failed.has(a.key)) - Number(failed.has(b.key)))
    const held = await heldAmong(
      pool,
      coins.map(({ id }) => id),
    )
    let filled = 0
    for (const coin of budget === null ? coins : coins.slice(0, 1)) {
      const share = held.has(coin.id) ? 'held' : 'asked'
      if (signal.aborted || (budget !== null && !(await budget.hasSpare(share)))) break
      if (await fill(coin, share)) filled += 1
    }
    if (filled > 0) logger?.debug({ source, filled, left: coins.length - filled }, 'daily closes of the past year')
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    const now = clock()
    if (!isDue(retryAt, now, PAUSES_AFTER_FAILURE.longest)) return
    try {
      await run(signal)
      failures = 0
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      failures += 1
      retryAt = now + Math.max(error.retryAfter ?? 0, pauseAfter(failures, PAUSES_AFTER_FAILURE))
      logger?.[failures === 1 ? 'warn' : 'debug'](
        { failure: error.failure, err: error },
        'daily closes of the past year could not be fetched',
      )
    }
  }

  let underWay: Promise<void> | null = null
  return (signal) => {
    underWay ??= attempt(signal).finally(() => {
      underWay = null
    })
    return underWay
  }
}

interface FillRow {
  readonly key: number
  readonly id: string
  /** Milliseconds at which the provider was last asked for it; null: never. */
  readonly asked_at: number | null
}

/** Days with fewer closes than this count as never filled. */
const SCARCE_DAYS = 30

/**
 * Gives those of some coins whose past is to be asked for, in their order: coins that never were, and if there are none,
 * those with gaps, as far as this process has not given them since it looked for gaps.
 */
function coinsToFill({ pool, provider: { source }, clock }: FillDeps): (ids: readonly string[]) => Promise<FillRow[]> {
  let gaps: readonly number[] = []
  let lookedAt: number | null = null

  return async (ids) => {
    const now = clock()
    const { rows } = await pool.query<FillRow>(
      `SELECT c.key, c.id, c.closes_asked_at::float8 AS asked_at
       FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place) JOIN market_coins c ON c.source = $1 AND c.id = wanted.id
       ORDER BY wanted.place`,
      [source, ids],
    )
    const never = rows.filter(({ asked_at }) => asked_at === null || asked_at > now)
    if (never.length > 0) return never
    const rested = rows.filter(({ asked_at }) => asked_at! <= now - DAY)
    const open = () => rested.filter(({ key }) => gaps.includes(key))
    if (open().length === 0 && (lookedAt === null || Math.abs(now - lookedAt) >= GAPS_EVERY)) {
      lookedAt = now
      gaps = await withGaps(pool, rested, now)
    }
    return open()
  }
}

/**
 * Keys of those of these coins that lack a day since they were asked for, or have hardly any. The newest day counts once it
 * has been over for an hour.
 */
async function withGaps(pool: Pool, coins: readonly FillRow[], now: number): Promise<number[]> {
  const lastDay = utcDayOf(now - HOUR) - 1
  const { rows } = await pool.query<{ key: number }>(
    `SELECT c.key FROM market_coins c CROSS JOIN LATERAL (
       SELECT count(*) AS days, count(*) FILTER (WHERE day >= c.closes_asked_at / ${DAY}) AS since
       FROM market_closes m WHERE m.coin_key = c.key AND m.day BETWEEN $3 AND $2
     ) known
     WHERE c.key = ANY ($1::int[])
       AND (known.days < ${SCARCE_DAYS} OR known.since < $2 - greatest(c.closes_asked_at / ${DAY}, $3) + 1)`,
    [coins.map(({ key }) => key), lastDay, lastDay - MATRIX_DAYS + 1],
  )
  return rows.map(({ key }) => key)
}

/** Sets the time of the last question, unless another process has set it since. @returns whether it was set */
async function claim(pool: Pool, key: number, before: number | null, at: number | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE market_coins SET closes_asked_at = $3 WHERE key = $1 AND closes_asked_at IS NOT DISTINCT FROM $2::bigint',
    [key, before, at],
  )
  return rowCount === 1
}
