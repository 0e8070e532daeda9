import { sql } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import { LONGEST_SENDING } from '../../adapters/push/push-sender'
import type { Database } from '../../db/open'
import { isClosed } from './is-closed'
import type { WaitingAlert } from './waiting-alert'

/** Milliseconds: a try is over by then, or its process is. */
const CLAIM = LONGEST_SENDING + 10_000
/** Milliseconds: no wait is longer, so that a time further ahead was written while the clock was wrong. */
const BELIEVABLE = 2 * DAY

/**
 * Takes deliveries that are due, at most one for each browser: nothing is sent to a browser by anybody else until it is
 * settled, or the claim is over. So a pause that a push service asks for holds for whatever else waits for that browser.
 * @param now milliseconds since 1970
 */
export async function claimDue({ orm }: Database, most: number, now: number): Promise<readonly WaitingAlert[]> {
  const { rows } = await orm.execute<WaitingAlert & Record<string, unknown>>(statement(most, now))
  // Times come as text where a statement is not Drizzle's own.
  return rows.map((row) => ({ ...row, subscribed_at: new Date(row.subscribed_at), crossed_at: new Date(row.crossed_at) }))
} // prettier-ignore

/*
 * free:   browsers that may be sent something, so that a claim is full however much waits for one of them.
 * chosen: of each what crossed first. Looked for once the browser is held, so that it is still to be done.
 */
const statement = (most: number, now: number) => {
  const [at, end, claimed] = [new Date(now), new Date(now + BELIEVABLE), new Date(now + CLAIM)]
  const due = sql`d.outcome = 'waiting' AND (d.next_attempt_at <= ${at} OR d.next_attempt_at > ${end})`
  return sql`
WITH free AS MATERIALIZED (
  SELECT s.id FROM push_subscriptions s JOIN (
    SELECT d.subscription_id, min(d.next_attempt_at) AS since FROM push_deliveries d WHERE ${due} GROUP BY 1
  ) something ON something.subscription_id = s.id
  WHERE s.free_at <= ${at} OR s.free_at > ${end}
  ORDER BY something.since LIMIT ${most} FOR UPDATE OF s SKIP LOCKED
), chosen AS MATERIALIZED (
  SELECT free.id AS subscription_id, first.id FROM free CROSS JOIN LATERAL (
    SELECT d.id FROM push_deliveries d JOIN alert_events e ON e.id = d.event_id
    WHERE d.subscription_id = free.id AND ${due} ORDER BY e.crossed_at, e.epoch LIMIT 1 FOR UPDATE OF d SKIP LOCKED
  ) first
), held AS (
  UPDATE push_subscriptions SET free_at = ${claimed} WHERE id = ANY (ARRAY (SELECT subscription_id FROM chosen)) RETURNING *
)
UPDATE push_deliveries d SET attempts = d.attempts + 1
FROM held s, owners o, alert_events e LEFT JOIN widgets w ON w.id = e.widget_id LEFT JOIN users u ON u.id = e.owner_id
WHERE d.id = ANY (ARRAY (SELECT id FROM chosen)) AND s.id = d.subscription_id AND e.id = d.event_id AND o.id = e.owner_id
RETURNING d.id AS delivery_id, d.attempts, s.id AS subscription_id, s.endpoint, s.p256dh, s.auth, s.subscribed_at,
  s.owner_id = e.owner_id AND COALESCE(w.notifications_enabled, false) AND NOT ${isClosed} AS wanted, EXISTS (
    SELECT FROM push_deliveries told JOIN alert_events later ON later.id = told.event_id
    WHERE told.subscription_id = s.id AND told.outcome = 'sent'
      AND later.widget_id = e.widget_id AND later.side = e.side AND later.epoch > e.epoch) AS superseded,
  e.owner_id, o.anonymous_hash, e.widget_id, e.coin_a_id, e.coin_b_id, e.coin_a_symbol, e.coin_b_symbol, e.side, e.epoch,
  e.ratio, e.threshold, e.crossed_at`
}
