import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import type { AlertSide } from '../../../src/domain/alerts'
import type { PairRatios } from './pair-ratios'

/** How many crossings were recorded. */
export type Crossings = Readonly<Record<AlertSide, number>>

export interface Judgement {
  readonly crossings: Crossings
  /** There may be more to judge: it was not all taken at once. */
  readonly more: boolean
}

/** Sides that are judged at once: a move of the whole market is not to hold its widgets for as long as it has crossings. */
const AT_ONCE = 2_000

/**
 * `checkAlerts` for the watched widgets of these pairs, as part of a transaction: disarms what fires and records it, and
 * arms again what is back, as a new arming. How often and by how many processes it is run makes no difference.
 * @param now milliseconds since 1970
 */
export async function fireAlerts(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  { pairs, ratios }: PairRatios,
  now: number,
  atOnce = AT_ONCE,
): Promise<Judgement> {
  // Most of its looks into an index find nothing, and a bitmap for each of them costs more than they do.
  await client.query('SET LOCAL enable_bitmapscan = off')
  const { rows } = await client.query<Crossings & { found: number; changed: number }>(STATEMENT, [pairs, ratios, atOnce, source, new Date(now)]) // prettier-ignore
  const { found, changed, high, low } = rows[0]!
  // Where others changed all that was found, the rest is theirs to find as well.
  return { crossings: { high, low }, more: found >= atOnce && changed > 0 }
}

/*
 * found: by the partial indexes, per pair and side from the extreme threshold up to the ratio; nothing else is read.
 * held:  in the order in which everybody locks widgets, and as they are once they are locked.
 * ended: the crossing of the arming before, one look into the unique index for each side that is armed again; a threshold
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
