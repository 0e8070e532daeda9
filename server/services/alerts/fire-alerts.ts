import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { type AlertSide, isFreshForAlerts } from '../../../src/domain/alerts'
import { ratioOf } from '../../../src/domain/pair'
import type { pairs } from '../../db/schema/widgets'
import { readStoredPrices, type StoredPrice } from '../market/prices'

/**
 * Judges alerts that prices of these coins can have set off, by the stored prices; part of a transaction. If there are
 * more, the next transaction finds them.
 * @param now milliseconds since 1970
 * @param isNamed MARKET_DATA names the source
 * @returns null where alerts were last judged by another source, and MARKET_DATA does not name this one
 */
export async function judgeAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  coins: readonly string[],
  now: number,
  isNamed = true,
): Promise<Judgement | null> {
  const pairs = await pairsOf(client, coins)
  // A source that has nothing to judge yet is not noted: until then, another may take its place.
  if (pairs.length === 0) return { crossings: { high: 0, low: 0 }, more: false }
  if (!(await mayJudgeBy(client, source, isNamed))) return null
  return fireAlerts(client, source, pairRatios(pairs, await readStoredPrices(client, source), now), now)
}

/**
 * True if alerts may be judged by this source, which is then noted; part of the transaction that judges. Owners set
 * thresholds by the prices of one source: another source's prices would fire them for nothing, so an operator must name it.
 */
async function mayJudgeBy(client: Pick<PoolClient, 'query'>, source: MarketSource, isNamed: boolean): Promise<boolean> {
  const { rows } = await client.query<{ source: MarketSource }>('SELECT source FROM alert_source')
  const last = rows[0]?.source
  if (last === source) return true
  if (last !== undefined && !isNamed) return false
  await client.query(
    'INSERT INTO alert_source (id, source) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET source = excluded.source',
    [source],
  )
  return true
}

/** Columns of equal length; a pair without a ratio of two fresh prices is left out. */
export interface PairRatios {
  /** Ids of `pairs`. */
  readonly pairs: readonly number[]
  /** Finite, at least 0. */
  readonly ratios: readonly number[]
}

type Pair = Pick<typeof pairs.$inferSelect, 'id' | 'coin_a_id' | 'coin_b_id'>

/* The watched pairs, by one look into an index for each: a pair that no widget watches costs nothing (decision 0048). */
const WATCHED = `
WITH RECURSIVE watched (pair_id) AS (
  SELECT min(pair_id) FROM widgets
    WHERE is_active AND notifications_enabled AND (high_threshold IS NOT NULL OR low_threshold IS NOT NULL)
  UNION ALL
  SELECT (
    SELECT min(w.pair_id) FROM widgets w WHERE w.pair_id > watched.pair_id
      AND w.is_active AND w.notifications_enabled AND (w.high_threshold IS NOT NULL OR w.low_threshold IS NOT NULL)
  ) FROM watched WHERE watched.pair_id IS NOT NULL
)
SELECT p.id, p.coin_a_id, p.coin_b_id FROM pairs p
WHERE p.id = ANY (ARRAY (SELECT pair_id FROM watched)) AND (p.coin_a_id = ANY ($1::text[]) OR p.coin_b_id = ANY ($1::text[]))`

/** The watched pairs that one of these coins is in. */
export async function pairsOf(client: Pick<PoolClient, 'query'>, coins: readonly string[]): Promise<readonly Pair[]> {
  const { rows } = await client.query<Pair>(WATCHED, [coins])
  return rows
}

/**
 * Divided here, by the rule that pages show: PostgreSQL refuses divisions that JavaScript calls infinite.
 * @param now milliseconds since 1970
 */
function pairRatios(pairs: readonly Pair[], prices: ReadonlyMap<string, StoredPrice>, now: number): PairRatios {
  const fresh = (coin: string): number | null => {
    const price = prices.get(coin)
    if (price === undefined) return null
    return isFreshForAlerts(price.providerTime, now) && isFreshForAlerts(price.fetchedAt, now) ? price.usd : null
  }
  const known = pairs.flatMap(({ id, coin_a_id, coin_b_id }) => {
    const ratio = ratioOf(fresh(coin_a_id), fresh(coin_b_id))
    return ratio === null ? [] : [{ id, ratio }]
  })
  return { pairs: known.map(({ id }) => id), ratios: known.map(({ ratio }) => ratio) }
}

/** Numbers of recorded crossings. */
export type Crossings = Readonly<Record<AlertSide, number>>

export interface Judgement {
  readonly crossings: Crossings
  /** There may be more to judge: the batch was full. */
  readonly more: boolean
}

/** Sides that one transaction judges: a move of the whole market must not lock its widgets for as long as it has crossings. */
const ALERT_BATCH = 2_000

/**
 * `checkAlerts` for the watched widgets of these pairs, as part of a transaction: disarms each side that fires and records
 * the crossing; re-arms each side that is back, with a new epoch. Repeated and concurrent runs change nothing more.
 * @param now milliseconds since 1970
 */
export async function fireAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  { pairs, ratios }: PairRatios,
  now: number,
  atOnce = ALERT_BATCH,
): Promise<Judgement> {
  // Most of the statement's looks into an index find nothing, and a bitmap for each costs more than the look (decision 0048).
  await client.query('SET LOCAL enable_bitmapscan = off')
  const values = [pairs, ratios, atOnce, source, new Date(now)]
  const { rows } = await client.query<Crossings & { found: number; changed: number }>(STATEMENT, values)
  const { found, changed, high, low } = rows[0]!
  // If other processes changed all rows found, they also find the rest.
  return { crossings: { high, low }, more: found >= atOnce && changed > 0 }
}

/*
 * found: by the partial indexes, per pair and side from the extreme threshold up to the ratio; nothing else is read
 *        (decision 0048).
 * held:  locked in the order of their ids, as in every transaction that locks several widgets (decision 0049), and read
 *        once they are locked.
 * ended: the crossing of the epoch before, one look into the unique index for each side that is re-armed; a threshold
 *        that its owner has moved since may be passed while the crossed one is not.
 * Arrays instead of joins: the planner takes them for few, and looks them up instead of reading the whole table.
 */
const STATEMENT = `
WITH seen AS MATERIALIZED (
  SELECT * FROM unnest($1::int[], $2::float8[]) AS given (pair_id, ratio)
), found AS MATERIALIZED (
  SELECT side.id FROM seen CROSS JOIN LATERAL (
    (SELECT id FROM widgets WHERE pair_id = seen.pair_id AND is_active AND notifications_enabled
       AND high_threshold_active AND high_threshold < seen.ratio ORDER BY high_threshold LIMIT $3)
    UNION ALL
    (SELECT id FROM widgets WHERE pair_id = seen.pair_id AND is_active AND notifications_enabled
       AND low_threshold_active AND low_threshold > seen.ratio ORDER BY low_threshold DESC LIMIT $3)
    UNION ALL
    (SELECT id FROM widgets WHERE pair_id = seen.pair_id AND is_active AND notifications_enabled
       AND NOT high_threshold_active AND high_threshold >= seen.ratio ORDER BY high_threshold DESC LIMIT $3)
    UNION ALL
    (SELECT id FROM widgets WHERE pair_id = seen.pair_id AND is_active AND notifications_enabled
       AND NOT low_threshold_active AND low_threshold <= seen.ratio ORDER BY low_threshold LIMIT $3)
  ) side LIMIT $3
), held AS MATERIALIZED (
  SELECT w.id, w.high_threshold_active AS high_armed, w.low_threshold_active AS low_armed, seen.ratio
  FROM widgets w JOIN seen ON seen.pair_id = w.pair_id
  WHERE w.id = ANY (ARRAY (SELECT id FROM found)) AND w.is_active AND w.notifications_enabled
  ORDER BY w.id FOR UPDATE OF w
), changed AS (
  UPDATE widgets w SET
    high_threshold_active = COALESCE(w.high_threshold >= held.ratio, w.high_threshold_active),
    low_threshold_active = COALESCE(w.low_threshold <= held.ratio, w.low_threshold_active),
    high_epoch = w.high_epoch + CASE WHEN NOT w.high_threshold_active AND w.high_threshold >= held.ratio THEN 1 ELSE 0 END,
    low_epoch = w.low_epoch + CASE WHEN NOT w.low_threshold_active AND w.low_threshold <= held.ratio THEN 1 ELSE 0 END
  FROM held WHERE w.id = held.id AND w.id = ANY (ARRAY (SELECT id FROM held))
    AND (COALESCE(w.high_threshold >= held.ratio, w.high_threshold_active) <> w.high_threshold_active
      OR COALESCE(w.low_threshold <= held.ratio, w.low_threshold_active) <> w.low_threshold_active)
  RETURNING w.*, held.ratio, held.high_armed AND NOT w.high_threshold_active AS high_fired,
    held.low_armed AND NOT w.low_threshold_active AS low_fired,
    NOT held.high_armed AND w.high_threshold_active AS high_back, NOT held.low_armed AND w.low_threshold_active AS low_back
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio,
    threshold, crossed_at)
  SELECT c.owner_id, c.id, a.id, b.id, a.symbol, b.symbol, fired.side, fired.epoch, c.ratio, fired.threshold, $5
  FROM changed c
  CROSS JOIN LATERAL (VALUES ('high', c.high_fired, c.high_epoch, c.high_threshold),
    ('low', c.low_fired, c.low_epoch, c.low_threshold)) AS fired (side, fires, epoch, threshold)
  JOIN market_coins a ON a.source = $4 AND a.id = c.coin_a_id
  JOIN market_coins b ON b.source = $4 AND b.id = c.coin_b_id
  WHERE fired.fires
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING side
), ended AS MATERIALIZED (
  SELECT crossing.id FROM changed c
  CROSS JOIN LATERAL (VALUES ('high', c.high_back, c.high_epoch - 1), ('low', c.low_back, c.low_epoch - 1))
    AS back (side, comes, epoch)
  CROSS JOIN LATERAL (
    SELECT e.id FROM alert_events e WHERE e.widget_id = c.id AND e.side = back.side AND e.epoch = back.epoch
      AND CASE back.side WHEN 'high' THEN e.threshold >= c.ratio ELSE e.threshold <= c.ratio END LIMIT 1
  ) crossing
  WHERE back.comes
), returned AS (
  UPDATE alert_events SET back_at = $5 WHERE id = ANY (ARRAY (SELECT id FROM ended))
)
SELECT (SELECT count(*)::int FROM found) AS found, (SELECT count(*)::int FROM changed) AS changed,
  count(*) FILTER (WHERE side = 'high')::int AS high, count(*) FILTER (WHERE side = 'low')::int AS low FROM recorded`
