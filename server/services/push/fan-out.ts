import { sql } from 'drizzle-orm'
import { ALERT_WORTH } from '../../../src/domain/alerts'
import type { Database } from '../../db/open'
import { isClosed } from './is-closed'

/** Crossings that are taken at a time, so that the first are told before the last are handed out. */
const AT_ONCE = 500

/**
 * Makes a delivery for each browser of the owners of some crossings that nobody was told of yet, once, however many
 * processes do so. Left out is what nobody wants to hear any more: the widget is gone, its alerts have been switched off,
 * the account is disabled or about to be deleted, or the crossing is too old (or of a future that only a wrong clock can have seen).
 * @param now milliseconds since 1970
 */
export async function fanOut({ orm }: Database, now: number): Promise<void> {
  await orm.execute(statement(new Date(now), new Date(now - ALERT_WORTH), new Date(now + ALERT_WORTH)))
}

/*
 * heard: locked, so that a browser which leaves meanwhile is waited for, and then left out.
 */
const statement = (now: Date, oldest: Date, newest: Date) => sql`
WITH taken AS MATERIALIZED (
  SELECT id, owner_id, widget_id, crossed_at FROM alert_events
  WHERE delivery = 'waiting' ORDER BY crossed_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
), judged AS MATERIALIZED (
  SELECT taken.id, taken.owner_id, CASE
    WHEN taken.crossed_at NOT BETWEEN ${oldest} AND ${newest} THEN 'too-late'
    WHEN w.id IS NULL THEN 'widget-gone'
    WHEN NOT w.notifications_enabled THEN 'switched-off'
    WHEN ${isClosed} THEN 'account-closed'
    ELSE 'fanned-out' END AS delivery
  FROM taken LEFT JOIN widgets w ON w.id = taken.widget_id LEFT JOIN users u ON u.id = taken.owner_id
), heard AS MATERIALIZED (
  SELECT judged.id AS event_id, s.id AS subscription_id
  FROM judged JOIN push_subscriptions s ON s.owner_id = judged.owner_id
  WHERE judged.delivery = 'fanned-out' AND s.refused_at IS NULL FOR KEY SHARE OF s
), marked AS (
  UPDATE alert_events e SET delivery = judged.delivery FROM judged WHERE e.id = judged.id
), made AS (
  INSERT INTO push_deliveries (event_id, subscription_id, next_attempt_at)
  SELECT event_id, subscription_id, ${now} FROM heard
)
SELECT count(*) FROM taken`
