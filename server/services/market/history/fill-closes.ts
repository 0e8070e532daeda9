import type { Pool } from 'pg'
import { MATRIX_DAYS, utcDayOf } from '../../../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../../../src/domain/granularity'
import { isDue, pauseAfter } from '../../../../src/domain/waits'
import { type CallShare, ProviderError } from '../../../adapters/market-data/provider'
import type { PeriodicJob } from '../../../jobs/periodic'
import type { CallBudget } from '../prices/call-budget'
import { bestCoins } from './closes'
import { fillCoin, type FillRow, fillRows, wasNeverAsked } from './fill-coin'
import type { OwnCloses } from './own-closes'
import { heldAmong, idsOfWatched } from '../prices/watched-coins'
import type { CoinList } from '../coin-list'
import type { FeedDeps } from '../feed'

const PAUSES_AFTER_FAILURE = { first: 5 * MINUTE, growth: 2, longest: 6 * HOUR }

interface FillDeps extends FeedDeps {
  /** Null where calls cost nothing: all coins are filled in one run. */
  readonly budget: Pick<CallBudget, 'hasSpare'> | null
  readonly list: Pick<CoinList, 'all'>
  readonly own: Pick<OwnCloses, 'ask'>
}

/** How often days are looked for that were missed: all closes of all coins are counted for it. Milliseconds. */
const GAPS_EVERY = 30 * MINUTE

/**
 * Asks the provider for the past year of coins whose closes this server has not seen: held coins at the pace of
 * `own-closes.ts`, then watched ones and the best by market cap. Of these one call a run, and only of calls that users leave over; a failure
 * pauses it, and puts the coin behind the others. Days that were missed later, while no server ran, are asked for again, at most once a day a coin. A call while a run is under way waits for that one.
 */
export function fillCloses(deps: FillDeps): PeriodicJob['run'] {
  const { pool, provider, budget, clock, list, own, logger } = deps
  const { source } = provider
  const wanting = coinsToFill(deps)
  const failed = new Set<number>()
  let failures = 0
  let retryAt = 0

  /** @returns whether the provider was asked and has answered */
  async function fill(coin: FillRow, share: CallShare): Promise<boolean> {
    try {
      if (!(await fillCoin(deps, coin, share))) return false
      failed.delete(coin.key)
      return true
    } catch (error) {
      failed.add(coin.key)
      throw error
    }
  }

  /** @returns false: the provider is left alone after a failure */
  async function run(signal: AbortSignal): Promise<boolean> {
    const watched = await idsOfWatched(pool, source, clock())
    const held = await heldAmong(pool, watched)
    await own.ask([...held], signal)
    if (!isDue(retryAt, clock(), PAUSES_AFTER_FAILURE.longest)) return false
    const found = await wanting([...new Set([...watched, ...bestCoins(await list.all())])], held)
    const coins = found.toSorted((a, b) => Number(failed.has(a.key)) - Number(failed.has(b.key)))
    let filled = 0
    for (const coin of budget === null ? coins : coins.slice(0, 1)) {
      const share = held.has(coin.id) ? 'held' : 'asked'
      if (signal.aborted || (budget !== null && !(await budget.hasSpare(share)))) break
      if (await fill(coin, share)) filled += 1
    }
    if (filled > 0) logger?.debug({ source, filled, left: coins.length - filled }, 'daily closes of the past year')
    return true
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    try {
      if (await run(signal)) failures = 0
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      failures += 1
      retryAt = clock() + Math.max(error.retryAfter ?? 0, pauseAfter(failures, PAUSES_AFTER_FAILURE))
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

/** Days with fewer closes than this count as never filled. */
const SCARCE_DAYS = 30

/**
 * Gives those of some coins whose past is to be asked for, in their order: coins that never were and are not held, and if
 * there are none, any with gaps, as far as this process has not given them since it looked for gaps.
 */
function coinsToFill({ pool, provider: { source }, clock }: FillDeps) {
  let gaps: readonly number[] = []
  let lookedAt: number | null = null

  return async (ids: readonly string[], held: ReadonlySet<string>): Promise<readonly FillRow[]> => {
    const now = clock()
    const rows = await fillRows(pool, source, ids)
    const never = rows.filter((row) => wasNeverAsked(row, now) && !held.has(row.id))
    if (never.length > 0) return never
    const rested = rows.filter(({ asked_at }) => asked_at !== null && asked_at <= now - DAY)
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
