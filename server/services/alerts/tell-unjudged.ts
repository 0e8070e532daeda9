import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { ALERT_FRESHNESS, alertEventId, judgedRuleOf } from '../../../src/domain/alerts'
import { MINUTE } from '../../../src/domain/granularity'
import type { Change, Changes } from '../../db/changes'
import { type Database, inTransaction } from '../../db/open'
import type { PeriodicJob } from '../../jobs/periodic'

/** Milliseconds between two looks, and how many in a row make an hour. */
const LOOK_EVERY = 5 * MINUTE
const LOOKS = 12
/** Widgets that one transaction records an event for, and pairs that it looks for them. */
const WIDGET_BATCH = 2_000
const PAIR_BATCH = 50

/** Conditions of a row of `market_prices`. */
const isFresh = (price: string): string =>
  `COALESCE(${price}.at BETWEEN $2 AND $3 AND ${price}.seen_at BETWEEN $2 AND $3, false)`

/*
 * alive: the provider answers, and alerts are judged by it. While it does not, no look counts: the pairs are not to blame for the
 *        provider, nor for a server that was down.
 * found: pairs of boards, of which a price is too old to judge by.
 */
const LOOK = `
WITH alive AS MATERIALIZED (
  SELECT FROM market_prices p JOIN market_coins c ON c.key = p.coin_key JOIN alert_source s ON s.source = c.source
  WHERE c.source = $1 AND p.via IS NULL AND ${isFresh('p')} LIMIT 1
), found AS MATERIALIZED (
  SELECT p.id AS pair_id, CASE WHEN ${isFresh('b')} OR NOT ${isFresh('a')} AND COALESCE(a.at, 0) <= COALESCE(b.at, 0) THEN 'high' ELSE 'low' END AS side
  FROM pairs p
  LEFT JOIN market_coins ca ON ca.source = $1 AND ca.id = p.coin_a_id LEFT JOIN market_prices a ON a.coin_key = ca.key
  LEFT JOIN market_coins cb ON cb.source = $1 AND cb.id = p.coin_b_id LEFT JOIN market_prices b ON b.coin_key = cb.key
  WHERE EXISTS (SELECT FROM alive) AND NOT (${isFresh('a')} AND ${isFresh('b')})
    AND EXISTS (SELECT FROM widgets w WHERE w.pair_id = p.id AND w.is_active)
), judged AS (
  DELETE FROM unjudged_pairs WHERE EXISTS (SELECT FROM alive) AND pair_id NOT IN (SELECT pair_id FROM found)
)
INSERT INTO unjudged_pairs AS u (pair_id, side, begun_at, looks, looked_at) SELECT pair_id, side, $4, 1, $4 FROM found
ON CONFLICT (pair_id) DO UPDATE SET side = excluded.side, looks = u.looks + 1, looked_at = excluded.looked_at
WHERE NOT u.told AND u.looks < ${LOOKS} AND u.looked_at <= $5`

/** True of a widget `w` with an alert that waits to fire. */
const IS_ARMED = `(
  w.notifications_enabled AND (w.high_threshold IS NOT NULL AND w.high_threshold_active OR w.low_threshold IS NOT NULL AND w.low_threshold_active)
  OR EXISTS (SELECT FROM alert_rules r WHERE r.widget_id = w.id AND r.measure IS NOT NULL AND r.armed AND NOT r.ended)
  OR EXISTS (SELECT FROM alert_settings s WHERE s.owner_id = w.owner_id AND s.extremes))`

/* As for extremes: `due` pairs in order, of each the widgets after the last that has an event. The ratio is the last that is known. */
const TELL = `
WITH due AS MATERIALIZED (
  SELECT * FROM unjudged_pairs WHERE looks >= ${LOOKS} AND NOT told ORDER BY pair_id LIMIT ${PAIR_BATCH} FOR UPDATE SKIP LOCKED
), found AS MATERIALIZED (
  SELECT due.pair_id, due.side, due.begun_at, w.* FROM due CROSS JOIN LATERAL (
    SELECT w.id AS widget_id, w.owner_id, w.coin_a_id, w.coin_b_id FROM widgets w
    WHERE w.pair_id = due.pair_id AND w.is_active AND (due.after_widget IS NULL OR w.id > due.after_widget) AND ${IS_ARMED}
    ORDER BY w.id LIMIT $3
  ) w ORDER BY due.pair_id, w.widget_id LIMIT $3
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio,
    threshold, measure, loudness, crossed_at)
  SELECT f.owner_id, f.widget_id, f.coin_a_id, f.coin_b_id, COALESCE(ca.symbol, f.coin_a_id), COALESCE(cb.symbol, f.coin_b_id), f.side,
    'unjudged', extract(epoch FROM f.begun_at)::int / 60, last.ratio, last.ratio,
    round((extract(epoch FROM $2::timestamptz) * 1000 - CASE f.side WHEN 'high' THEN a.at ELSE b.at END) / ${MINUTE}), 'quiet', $2
  FROM found f
  LEFT JOIN market_coins ca ON ca.source = $1 AND ca.id = f.coin_a_id LEFT JOIN market_prices a ON a.coin_key = ca.key
  LEFT JOIN market_coins cb ON cb.source = $1 AND cb.id = f.coin_b_id LEFT JOIN market_prices b ON b.coin_key = cb.key
  CROSS JOIN LATERAL (SELECT CASE WHEN a.usd BETWEEN 1e-100 AND 1e100 AND b.usd BETWEEN 1e-100 AND 1e100 THEN a.usd / b.usd ELSE 1 END AS ratio) last
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING owner_id, widget_id, epoch
), last AS (
  SELECT pair_id, widget_id FROM found WHERE (SELECT count(*) FROM found) = $3 ORDER BY pair_id DESC, widget_id DESC LIMIT 1
), kept AS (
  UPDATE unjudged_pairs u SET after_widget = last.widget_id FROM last WHERE u.pair_id = last.pair_id
), ended AS (
  UPDATE unjudged_pairs u SET told = true FROM due
  WHERE u.pair_id = due.pair_id AND (NOT EXISTS (SELECT FROM last) OR u.pair_id < (SELECT pair_id FROM last))
)
SELECT (SELECT coalesce(json_agg(recorded), '[]') FROM recorded) AS recorded,
  EXISTS (SELECT FROM last) OR (SELECT count(*) FROM due) = ${PAIR_BATCH} AS more`

interface Recorded {
  readonly recorded: readonly { readonly owner_id: string; readonly widget_id: string; readonly epoch: number }[]
  readonly more: boolean
}

const changeOf = ({ owner_id, widget_id, epoch }: Recorded['recorded'][number]): Change => ({
  kind: 'alert',
  owner: owner_id,
  eventId: alertEventId(judgedRuleOf(widget_id), epoch),
})

/** Counts a look, and records events of pairs that could not be judged for an hour, so many widgets at a time. */
async function tellUnjudged(
  pool: Database['pool'],
  source: MarketSource,
  now: number,
  { signal, atOnce, changes }: TellOptions,
): Promise<void> {
  const fresh = [now - ALERT_FRESHNESS, now + ALERT_FRESHNESS]
  const at = new Date(now)
  await pool.query(LOOK, [source, ...fresh, at, new Date(now - LOOK_EVERY + MINUTE)])
  const tell = async (client: Pick<PoolClient, 'query'>): Promise<Recorded> =>
    (await client.query<Recorded>(TELL, [source, at, atOnce])).rows[0]!
  let more = true
  while (more) {
    if (signal.aborted) return
    const found = await inTransaction(pool, tell)
    changes.publish(found.recorded.map(changeOf))
    more = found.more
  }
}

interface TellOptions {
  readonly signal: AbortSignal
  readonly atOnce: number
  readonly changes: Pick<Changes, 'publish'>
}

interface UnjudgedDeps {
  readonly database: Database
  readonly clock: () => number
  /** Widgets that one transaction records an event for; others in tests. */
  readonly atOnce?: number
}

/** The job that tells owners of pairs that cannot be judged. */
export const unjudgedJob = (
  { database, clock, atOnce = WIDGET_BATCH }: UnjudgedDeps,
  source: MarketSource,
): PeriodicJob => ({
  name: 'unjudged-pairs',
  every: LOOK_EVERY,
  run: (signal) => tellUnjudged(database.pool, source, clock(), { signal, atOnce, changes: database.changes }),
})
