import { type SQL, sql } from 'drizzle-orm'
import type { Crossing } from '../../../src/contract/alerts'
import { DAY } from '../../../src/domain/granularity'
import { alert_events, push_deliveries, push_subscriptions } from '../../db/schema/alerts'
import { alert_channels, channel_deliveries } from '../../db/schema/channels'
import { sessions } from '../../db/schema/sessions'

/* Outcomes of a row of `alert_events`: looks into indexes by the event's id, in the statement that reads it. */

/** Its deliveries, browsers first; null: none is known. */
export const deliveriesInSql = (now: Date) => sql<Crossing['deliveries'] | null>`(
  SELECT json_agg(fate ORDER BY place, since, id) FROM (
    SELECT 1 AS place, s.subscribed_at AS since, s.id, ${fate({
      channel: sql`'push'`,
      name: sql`l.device_label`,
      at: sql`COALESCE(d.shown_at, d.ended_at)`,
      state: sql`CASE WHEN d.shown_at IS NOT NULL THEN 'shown' ELSE ${stateOf(now)} END`,
    })} || CASE WHEN s.receipt_hash IS NOT NULL AND s.shown_at IS NOT NULL THEN '{"confirms": true}'::jsonb ELSE '{}' END AS fate
    FROM ${push_deliveries} d JOIN ${push_subscriptions} s ON s.id = d.subscription_id AND s.owner_id = d.owner_id
    LEFT JOIN ${sessions} l ON l.id = s.session_id
    WHERE d.event_id = alert_events.id AND d.owner_id = alert_events.owner_id
    UNION ALL
    SELECT 2, c.created_at, c.id, ${fate({
      channel: sql`c.kind`,
      name: sql`c.name`,
      at: sql`CASE WHEN d.outcome <> 'queued' THEN d.ended_at END`,
      state: stateOf(now),
    })}
    FROM ${channel_deliveries} d JOIN ${alert_channels} c ON c.id = d.channel_id AND c.owner_id = d.owner_id
    WHERE d.event_id = alert_events.id AND d.owner_id = alert_events.owner_id
  ) fates)`

const stateOf = (now: Date): SQL => sql`CASE d.outcome
  WHEN 'waiting' THEN CASE WHEN alert_events.held_until > ${now} THEN 'held' ELSE 'waiting' END
  WHEN 'queued' THEN 'waiting' WHEN 'sent' THEN 'sent' ELSE 'failed' END`

interface FateColumns {
  readonly channel: SQL
  readonly name: SQL
  readonly state: SQL
  readonly at: SQL
}

const fate = ({ channel, name, state, at }: FateColumns): SQL => sql`jsonb_build_object(
    'channel', ${channel}, 'name', ${name}, 'state', ${state},
    'at', to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  || CASE WHEN d.outcome IN ('waiting', 'queued', 'sent') THEN '{}' ELSE jsonb_build_object('reason', d.outcome) END`

/** Milliseconds after a crossing in which its deliveries end: a day of tries after a night of quiet hours. */
const FATES_OPEN = 3 * DAY

const isOfEvent = sql`d.event_id = ${alert_events.id} AND d.owner_id = ${alert_events.owner_id}`

/** True of an event with a delivery that has ended or was shown since then. */
export const hasFateSince = (
  from: Date,
): SQL => sql`${alert_events.crossed_at} >= ${new Date(from.getTime() - FATES_OPEN)} AND (
  ${alert_events.delivery} = 'device-gone'
  OR EXISTS (SELECT FROM ${push_deliveries} d WHERE ${isOfEvent} AND (d.ended_at >= ${from} OR d.shown_at >= ${from}))
  OR EXISTS (SELECT FROM ${channel_deliveries} d WHERE ${isOfEvent} AND d.ended_at >= ${from}))`
