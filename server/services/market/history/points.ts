import { and, eq, lt } from 'drizzle-orm'
import type { Pool, PoolClient } from 'pg'
import { averageBuckets } from '../../../../src/domain/aggregation'
import { BUCKET_MS, GRANULARITIES, type Granularity, LEVEL_SPAN } from '../../../../src/domain/granularity'
import type { Series } from '../../../../src/domain/series'
import { market_points } from '../../../db/schema/market'
import type { Outdated } from '../../removal-job'

/** The unit of `market_points.bucket`, milliseconds. */
export const UNIT = BUCKET_MS.fiveMinutely

export const levelOf = (granularity: Granularity): number => GRANULARITIES.indexOf(granularity)
/** Width of a level's buckets in units. */
const unitsOf = (granularity: Granularity): number => BUCKET_MS[granularity] / UNIT
/** Buckets of the next finer level in one of this level; 1 at the finest. */
const finerIn = (granularity: Granularity): number => {
  const finer = GRANULARITIES[levelOf(granularity) - 1]
  return finer === undefined ? 1 : BUCKET_MS[granularity] / BUCKET_MS[finer]
}
/** The unit in which a bucket of this level that holds `time` starts. */
const bucketOf = (time: number, granularity: Granularity): number =>
  Math.floor(time / BUCKET_MS[granularity]) * unitsOf(granularity)

type Client = Pool | PoolClient
type CoarseGranularity = Exclude<Granularity, 'fiveMinutely'>
const COARSE = GRANULARITIES.filter((granularity): granularity is CoarseGranularity => granularity !== 'fiveMinutely')

/**
 * Stores a provider's points of a level. A closed bucket counts as complete; a bucket that is still open, or with more
 * samples here, stays as it is.
 */
export async function writeProvided(
  client: Client,
  coinKey: number,
  granularity: Granularity,
  series: Series,
  now: number,
): Promise<void> {
  const { times, prices } = averageBuckets(series, BUCKET_MS[granularity])
  const open = bucketOf(now, granularity)
  const buckets = Array.from(times, (time) => time / UNIT)
  await client.query(
    `INSERT INTO market_points AS p (coin_key, level, bucket, usd, samples)
     SELECT $1::int, $2::int, bucket, usd, samples FROM unnest($3::int[], $4::float8[], $5::int[]) AS given (bucket, usd, samples)
     ON CONFLICT (coin_key, level, bucket) DO UPDATE SET usd = excluded.usd, samples = excluded.samples
       WHERE excluded.samples >= p.samples AND (excluded.usd, excluded.samples) <> (p.usd, p.samples) AND p.bucket < $6`,
    [
      coinKey,
      levelOf(granularity),
      buckets,
      Array.from(prices),
      buckets.map((bucket) => (bucket < open ? finerIn(granularity) : 1)),
      open,
    ],
  )
}

/**
 * Averages finer buckets into the coarser ones that they lie in, level by level. A coarse bucket is written again when as
 * much or more stands behind the new mean; so one that a provider gave is not replaced by a piece of it.
 * Rows are taken in order, so that two that fold the same coins wait for each other instead of both for ever.
 * @param since milliseconds; buckets that end before are left alone
 */
export async function foldPoints(client: Client, coinKeys: readonly number[], since: number): Promise<void> {
  for (const granularity of COARSE) {
    await client.query(
      `INSERT INTO market_points AS p (coin_key, level, bucket, usd, samples)
       SELECT coin_key, $1::int, bucket / $2::int * $2::int, avg(usd), count(*)
         FROM market_points WHERE coin_key = ANY ($3::int[]) AND level = $1::int - 1 AND bucket >= $4 GROUP BY 1, 3 ORDER BY 1, 3
       ON CONFLICT (coin_key, level, bucket) DO UPDATE SET usd = excluded.usd, samples = excluded.samples
         WHERE excluded.samples >= p.samples AND (excluded.usd, excluded.samples) <> (p.usd, p.samples)`,
      [levelOf(granularity), unitsOf(granularity), coinKeys, bucketOf(since, granularity)],
    )
  }
}

/** The stored points of a level and of all coarser ones whose buckets start at `from` or hold it, or later, up to `now`. */
export async function readPoints(
  client: Client,
  coinKey: number,
  finest: Granularity,
  from: number,
  now: number,
): Promise<Record<Granularity, Series>> {
  const { rows } = await client.query<[number, number, number]>({
    text: `SELECT level, bucket, usd FROM market_points
           WHERE coin_key = $1 AND level >= $2 AND bucket BETWEEN $3 AND $4 ORDER BY level, bucket`,
    values: [coinKey, levelOf(finest), bucketOf(from, 'daily'), bucketOf(now, 'fiveMinutely')],
    rowMode: 'array',
  })
  const seriesOf = (granularity: Granularity): Series => {
    const first = bucketOf(from, granularity)
    const own = rows.filter((row) => row[0] === levelOf(granularity) && row[1] >= first)
    return {
      times: Float64Array.from(own, (row) => row[1] * UNIT),
      prices: Float64Array.from(own, (row) => row[2]),
    }
  }
  const levels = GRANULARITIES.map((granularity) => [granularity, seriesOf(granularity)] as const)
  return Object.fromEntries(levels) as Record<Granularity, Series>
}

/** The end of the newest stored bucket of a coin up to now, milliseconds; null: nothing at all is stored. */
export async function newestEnd(client: Client, coinKey: number, now: number): Promise<number | null> {
  const { rows } = await client.query<{ level: number; bucket: number }>(
    `SELECT level, max(bucket) AS bucket FROM market_points WHERE coin_key = $1 AND bucket <= $2 GROUP BY level`,
    [coinKey, bucketOf(now, 'fiveMinutely')],
  )
  const ends = rows.map(({ level, bucket }) => bucket * UNIT + BUCKET_MS[GRANULARITIES[level]!])
  return ends.length === 0 ? null : Math.max(...ends)
}

/** Coins whose old buckets one statement removes: a level grows by 288 buckets a day and coin at most. */
const COINS_AT_ONCE = 10

/** The buckets that lie farther back than their level is kept. */
export const outdatedPoints = (now: number): readonly Outdated[] =>
  GRANULARITIES.map((granularity) => {
    const isOld = lt(market_points.bucket, bucketOf(now - LEVEL_SPAN[granularity], granularity))
    return [market_points, and(eq(market_points.level, levelOf(granularity)), isOld)]
  })

/** Forgets those buckets. */
export async function dropOldPoints(client: Client, now: number, signal?: AbortSignal): Promise<void> {
  let last = 0
  for (;;) {
    const { rows } = await client.query<{ key: number }>(
      'SELECT key FROM market_coins WHERE key > $1 ORDER BY key LIMIT $2',
      [last, COINS_AT_ONCE],
    )
    const end = rows.at(-1)
    if (end === undefined || signal?.aborted === true) return
    const keys = rows.map(({ key }) => key)
    for (const granularity of GRANULARITIES) {
      await client.query('DELETE FROM market_points WHERE coin_key = ANY ($1::int[]) AND level = $2 AND bucket < $3', [
        keys,
        levelOf(granularity),
        bucketOf(now - LEVEL_SPAN[granularity], granularity),
      ])
    }
    last = end.key
  }
}
