import type { Pool, PoolClient } from 'pg'
import { type Granularity, MINUTE } from '../../../../src/domain/granularity'
import { isDue } from '../../../../src/domain/waits'
import { LONGEST_PAUSE } from '../../../adapters/market-data/coingecko/coingecko'
import type { KnownCoin } from '../coin-list'
import type { Span } from './plan'
import { levelOf } from './points'
import { AHEAD } from '../prices/stored-prices'

/**
 * Claims of requests to the provider for a level of a coin's history, and their results:
 *
 *     idle --claim--> claimed --answer--> covered (idle)
 *                        |---failure----> resting until retry_at (idle)
 *                        '---process died: the claim runs out
 */

/** Longer than a provider may take, so that a claim runs out only where its process died. Milliseconds. */
const CLAIM_LEASE = 30_000
const FIRST_PAUSE = 15_000
const LONGEST_FAILURE_PAUSE = 10 * MINUTE
/** A time that lies farther ahead was stored while a clock was wrong. Milliseconds. */
const LATEST_CLAIM_END = CLAIM_LEASE + AHEAD
const LATEST_RETRY = Math.max(LONGEST_FAILURE_PAUSE, LONGEST_PAUSE) + AHEAD

/** A level of a coin's history: `coin_key` and `level` of its row. */
type LevelKey = readonly [coinKey: number, level: number]

export const levelKey = (coin: KnownCoin, granularity: Granularity): LevelKey => [coin.key, levelOf(granularity)]

interface FetchRow {
  readonly covered_from: number | null
  readonly covered_until: number | null
  readonly retry_at: number
}

async function look(pool: Pool, key: LevelKey): Promise<FetchRow | null> {
  const { rows } = await pool.query<FetchRow>(
    `SELECT covered_from::float8, covered_until::float8, retry_at::float8
     FROM market_fetches WHERE coin_key = $1 AND level = $2`,
    [...key],
  )
  return rows[0] ?? null
}

/** The span that answers have covered so far, whatever they held; none that ends in the future. */
export async function coveredSpan(pool: Pool, key: LevelKey, now: number): Promise<Span | null> {
  const row = await look(pool, key)
  if (row === null || row.covered_from === null || row.covered_until === null) return null
  return row.covered_until > now + AHEAD ? null : { from: row.covered_from, until: row.covered_until }
}

/**
 * @param lookedAt milliseconds: when the caller found that something was missing
 * @returns `mine`: the caller asks; `taken`: another process asks; `answered`: an answer came since the caller looked;
 *   `resting`: a request failed of late
 */
export async function claimFetch(
  pool: Pool,
  key: LevelKey,
  lookedAt: number,
  now: number,
): Promise<'mine' | 'taken' | 'answered' | 'resting'> {
  const { rowCount } = await pool.query(
    `INSERT INTO market_fetches AS f (coin_key, level, claimed_until) VALUES ($1, $2, $4)
     ON CONFLICT (coin_key, level) DO UPDATE SET claimed_until = excluded.claimed_until
       WHERE (f.claimed_until <= $3 OR f.claimed_until > $6::bigint) AND (f.retry_at <= $3 OR f.retry_at > $7::bigint)
         AND (f.covered_until IS NULL OR f.covered_until < $5 OR f.covered_until > $8::bigint)`,
    [...key, now, now + CLAIM_LEASE, lookedAt, now + LATEST_CLAIM_END, now + LATEST_RETRY, now + AHEAD],
  )
  if (rowCount === 1) return 'mine'
  const row = await look(pool, key)
  if (row?.covered_until != null && row.covered_until >= lookedAt && row.covered_until <= now + AHEAD) return 'answered'
  return row !== null && !isDue(row.retry_at, now, LATEST_RETRY) ? 'resting' : 'taken'
}

/** Notes an answer and lets go. To be called in the transaction that stores what the answer held. */
export async function noteAnswer(client: PoolClient, key: LevelKey, covered: Span): Promise<void> {
  await client.query(
    `UPDATE market_fetches SET covered_from = $3, covered_until = $4, claimed_until = 0, failures = 0, retry_at = 0
     WHERE coin_key = $1 AND level = $2`,
    [...key, covered.from, covered.until],
  )
}

/** Lets go of a claim of which nothing was made: the provider was not asked. */
export async function letGo(pool: Pool, key: LevelKey): Promise<void> {
  await pool.query('UPDATE market_fetches SET claimed_until = 0 WHERE coin_key = $1 AND level = $2', [...key])
}

/** Notes a failure and lets go; the rest after it doubles from failure to failure, unless the provider named one. */
export async function noteFailure(pool: Pool, key: LevelKey, now: number, retryAfter: number | null): Promise<void> {
  await pool.query(
    `UPDATE market_fetches SET claimed_until = 0, failures = least(failures + 1, 20),
       retry_at = $3::bigint + coalesce($4::bigint, least($6::bigint, $5::bigint * power(2, failures)::bigint))
     WHERE coin_key = $1 AND level = $2`,
    [...key, now, retryAfter === null ? null : Math.ceil(retryAfter), FIRST_PAUSE, LONGEST_FAILURE_PAUSE],
  )
}
