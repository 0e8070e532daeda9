import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { MATRIX_DAYS, utcDayOf } from '../../../src/domain/daily-matrix'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import { pauseAfter } from '../../../src/domain/waits'
import { type CallShare, type MarketProvider, ProviderError } from '../../adapters/market-data/provider'
import { inTransaction } from '../../db/open'
import type { CallBudget } from './budget'
import { writeCloses } from './closes'
import { type CoinList, heldAmong } from './coins'
import { bestCoins, idsOfWatched } from './daily-closes'

const PAUSES_AFTER_FAILURE = { first: 5 * MINUTE, growth: 2, longest: 6 * HOUR }

interface FillDeps {
  readonly pool: Pool
  readonly provider: MarketProvider
  /** Null where calls cost nothing: all coins are filled in one run. */
  readonly budget: Pick<CallBudget, 'hasSpare'> | null
  readonly clock: () => number
  readonly list: Pick<CoinList, 'all'>
  readonly logger?: FastifyBaseLogger | undefined
}

/**
 * Asks the provider for the past year of coins whose closes this server has not seen: watched coins first, then the best by
 * market cap. One call a run, and only of calls that users leave over; a failure pauses it. Days that were missed later,
 * while no server ran, are asked for again, at most once a day a coin.
 */
export function fillCloses({ pool, provider, budget, clock, list, logger }: FillDeps): () => Promise<void> {
  const { source } = provider
  let failures = 0
  let retryAt = 0

  /** @returns whether the provider was asked and has answered */
  async function fill({ key, id, asked_at }: FillRow, share: CallShare): Promise<boolean> {
    const now = clock()
    if (!(await claim(pool, key, asked_at, now))) return false
    try {
      const closes = await provider.history(id, 'daily', share)
      await inTransaction(pool, (client) => writeCloses(client, key, closes, clock()))
      return true
    } catch (error) {
      await claim(pool, key, now, asked_at)
      throw error
    }
  }

  async function run(): Promise<void> {
    const watched = await idsOfWatched(pool, source, clock())
    const wanting = await coinsToFill(pool, source, [...new Set([...watched, ...bestCoins(await list.all())])], clock())
    const held = await heldAmong(
      pool,
      wanting.map(({ id }) => id),
    )
    let filled = 0
    for (const coin of budget === null ? wanting : wanting.slice(0, 1)) {
      const share = held.has(coin.id) ? 'held' : 'asked'
      if (budget !== null && !(await budget.hasSpare(share))) break
      if (await fill(coin, share)) filled += 1
    }
    if (filled > 0) logger?.debug({ source, filled, left: wanting.length - filled }, 'daily closes of the past year')
  }

  return async () => {
    const now = clock()
    if (now < retryAt && retryAt - now <= PAUSES_AFTER_FAILURE.longest) return
    try {
      await run()
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
 * Those of these coins whose past is to be asked for, in the given order: coins that never were, and a day after the last
 * time coins that lack a day since, or have hardly any. The newest day counts once it has been over for an hour.
 */
async function coinsToFill(pool: Pool, source: string, ids: readonly string[], now: number): Promise<FillRow[]> {
  const lastDay = utcDayOf(now - HOUR) - 1
  const { rows } = await pool.query<FillRow>(
    `SELECT c.key, c.id, c.closes_asked_at::float8 AS asked_at
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place) JOIN market_coins c ON c.source = $1 AND c.id = wanted.id
     CROSS JOIN LATERAL (
       SELECT count(*) AS days, count(*) FILTER (WHERE day >= c.closes_asked_at / ${DAY}) AS since
       FROM market_closes m WHERE m.coin_key = c.key AND m.day BETWEEN $4 AND $3
     ) known
     WHERE c.closes_asked_at IS NULL OR c.closes_asked_at > $5::bigint
       OR (c.closes_asked_at <= $5::bigint - ${DAY}
         AND (known.days < ${SCARCE_DAYS} OR known.since < $3 - greatest(c.closes_asked_at / ${DAY}, $4) + 1))
     ORDER BY wanted.place`,
    [source, ids, lastDay, lastDay - MATRIX_DAYS + 1, now],
  )
  return rows
}

/** Sets the time of the last question, unless another process has set it since. @returns whether it was set */
async function claim(pool: Pool, key: number, before: number | null, at: number | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE market_coins SET closes_asked_at = $3 WHERE key = $1 AND closes_asked_at IS NOT DISTINCT FROM $2::bigint',
    [key, before, at],
  )
  return rowCount === 1
}
