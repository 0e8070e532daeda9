import { sql } from 'drizzle-orm'
import { DAY } from '../../../src/domain/granularity'
import { LONGEST_SENDING } from '../../adapters/push/push-sender'
import type { Database } from '../../db/open'
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

const statement = (most: number, now: number) => {
  const [at, end, claimed] = [new Date(now), new Date(now + BELIEVABLE), new Date(now + CLAIM)]
  return sql`
WITH due AS MATERIALIZED (
  SELECT d.id, d.subscription_id, d.next_attempt_at
  FROM push_deliveries d JOIN push_subscriptions s ON s.id = d.subscription_id
  WHERE d.outcome = 'waiting' AND (d.next_attempt_at <= ${at} OR d.next_attempt_at > ${end})
    AND (s.free_at <= ${at} OR s.free_at > ${end})
  ORDER BY d.next_attempt_at LIMIT ${most} FOR UPDATE SKIP LOCKED
), chosen AS MATERIALIZED (
  SELECT DISTINCT ON (subscription_id) id, subscription_id FROM due ORDER BY subscription_id, next_attempt_at
), held AS (
  UPDATE push_subscriptions SET free_at = ${claimed} WHERE id = ANY (ARRAY (SELECT subscription_id FROM chosen)) RETURNING *
)
UPDATE push_deliveries d SET attempts = d.attempts + 1
FROM held s, alert_events e, owners o
WHERE d.id = ANY (ARRAY (SELECT id FROM chosen)) AND s.id = d.subscription_id AND e.id = d.event_id AND o.id = e.owner_id
RETURNING d.id AS delivery_id, d.attempts, s.id AS subscription_id, s.endpoint, s.p256dh, s.auth, s.subscribed_at,
  s.owner_id AS browser_owner_id, e.owner_id, o.anonymous_hash, e.widget_id, e.coin_a_id, e.coin_b_id, e.coin_a_symbol,
  e.coin_b_symbol, e.side, e.epoch, e.ratio, e.threshold, e.crossed_at`
}
