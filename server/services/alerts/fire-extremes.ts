import type { PoolClient } from 'pg'
import type { MarketSource } from '../../../src/contract/market'
import { alertEventId, type AlertSide, extremeRuleOf } from '../../../src/domain/alerts'
import type { Change } from '../../db/changes'
import type { Crossings } from './fire-alerts'

/** Widgets that one transaction records an event for, and pairs that it looks for them. */
const EXTREMES_BATCH = 2_000
const PAIRS_BATCH = 50

/*
 * due:   pairs with widgets left, in the order in which they are taken, so that the last widget says what is done.
 * found: widgets on the board of an owner who wants extremes now, whatever is to be said of their thresholds.
 */
const FIRE = `
WITH due AS MATERIALIZED (
  SELECT * FROM extreme_firings ORDER BY pair_id, side, day LIMIT ${PAIRS_BATCH} FOR UPDATE SKIP LOCKED
), found AS MATERIALIZED (
  SELECT due.*, w.id AS widget_id, w.owner_id, w.coin_a_id, w.coin_b_id FROM due CROSS JOIN LATERAL (
    SELECT w.id, w.owner_id, w.coin_a_id, w.coin_b_id FROM widgets w JOIN alert_settings s ON s.owner_id = w.owner_id AND s.extremes
    WHERE w.pair_id = due.pair_id AND w.is_active AND (due.after_widget IS NULL OR w.id > due.after_widget)
    ORDER BY w.id LIMIT $2
  ) w ORDER BY due.pair_id, due.side, due.day, w.id LIMIT $2
), recorded AS (
  INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, kind, epoch, ratio,
    threshold, measure, days, crossed_at)
  SELECT f.owner_id, f.widget_id, a.id, b.id, a.symbol, b.symbol, f.side, 'extreme_' || f.side, f.day, f.ratio, f.threshold,
    f.measure, f.days, f.crossed_at
  FROM found f JOIN market_coins a ON a.source = $1 AND a.id = f.coin_a_id JOIN market_coins b ON b.source = $1 AND b.id = f.coin_b_id
  ON CONFLICT ON CONSTRAINT alert_events_crossing DO NOTHING
  RETURNING owner_id, widget_id, side, epoch
), last AS (
  SELECT pair_id, side, day, widget_id FROM found
  WHERE (SELECT count(*) FROM found) = $2 ORDER BY pair_id DESC, side DESC, day DESC, widget_id DESC LIMIT 1
), kept AS (
  UPDATE extreme_firings f SET after_widget = last.widget_id FROM last
  WHERE f.pair_id = last.pair_id AND f.side = last.side AND f.day = last.day
), ended AS (
  DELETE FROM extreme_firings f USING due WHERE f.pair_id = due.pair_id AND f.side = due.side AND f.day = due.day
    AND (NOT EXISTS (SELECT FROM last) OR (f.pair_id, f.side, f.day) < (SELECT pair_id, side, day FROM last))
)
SELECT (SELECT coalesce(json_agg(recorded), '[]') FROM recorded) AS recorded,
  EXISTS (SELECT FROM last) OR (SELECT count(*) FROM due) = ${PAIRS_BATCH} AS more`

interface RecordedExtreme {
  readonly owner_id: string
  readonly widget_id: string
  readonly side: AlertSide
  readonly epoch: number
}

export interface FiredExtremes {
  readonly crossings: Crossings
  /** For after the commit. */
  readonly changes: readonly Change[]
  /** Widgets may be left: for a transaction of their own. */
  readonly more: boolean
}

/**
 * Records an event for widgets whose pair has come to an extreme, as part of a transaction. Repeated and concurrent runs record
 * no widget twice, and leave none out.
 */
export async function fireExtremes(
  client: Pick<PoolClient, 'query'>,
  source: MarketSource,
  atOnce = EXTREMES_BATCH,
): Promise<FiredExtremes> {
  const { rows } = await client.query<{ recorded: readonly RecordedExtreme[]; more: boolean }>(FIRE, [source, atOnce])
  const { recorded, more } = rows[0]!
  const high = recorded.filter(({ side }) => side === 'high').length
  return {
    crossings: { high, low: recorded.length - high },
    changes: recorded.map(({ owner_id, widget_id, side, epoch }) => ({
      kind: 'alert',
      owner: owner_id,
      eventId: alertEventId(extremeRuleOf(widget_id, side), epoch),
    })),
    more,
  }
}
