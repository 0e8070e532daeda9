import { type Name, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { CoinPrices } from '../../../src/domain/coin-prices'
import type { AlertSide } from '../../../src/domain/alerts'
import { DAY, HOUR } from '../../../src/domain/granularity'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import { type QuietHours, quietUntil } from '../../../src/domain/quiet-hours'
import { WAY_KINDS } from '../../../src/domain/way-alerts'
import { PUSH_TIMEOUT_MS } from '../../adapters/push/push-sender'
import { isDueInSql } from '../../waits'
import { isDue } from '../../../src/domain/waits'
import type { Database, Queryable } from '../../db/open'
import { type alert_events, push_deliveries, push_subscriptions } from '../../db/schema/alerts'
import { isDoubtedInSql } from '../removal-job'
import { isSnoozedInSql } from '../widgets/snooze'

/** Milliseconds after a crossing in which it may be fanned out, be pushed, and wait at the push service. */
export const ALERT_TTL = HOUR

/*
 * The queue of alerts on their way to browsers and to an owner's other channels, shared by all processes:
 *
 *     alert_events ──fanOut──▶ push_deliveries ─────claimDue──▶ push sender ──▶ outcome (record-delivery.ts)
 *                      └─────▶ channel_deliveries ──claimDue──▶ channel sender ──▶ outcome
 */

/** A table of deliveries, and that of the targets which get them, with what differs between browsers and channels. */
export interface DeliveryQueue {
  readonly deliveries: PgTable
  readonly targets: PgTable
  /** Column of `deliveries` that refers to the target. */
  readonly target: Name
  /** Milliseconds after a crossing in which a delivery may be tried. */
  readonly ttl: number
  /** A try is over by then, or its process is. Milliseconds. */
  readonly lease: number
  /** Deliveries that one try takes of a `free` target. `due`: the condition of those, `d` with the crossing `e`. */
  readonly perTry: (due: SQL) => SQL
  /** Which of the deliveries `d` to a `free` target may be in the same try. */
  readonly together: SQL
  /** Columns that a claim sets besides in a delivery `d`, with a comma before. */
  readonly marks: SQL
  /** Columns of the target `s` for whoever sends. */
  readonly columns: SQL
}

/** One crossing on its way to one target. */
export interface WaitingCrossing {
  readonly delivery_id: string
  /** Tries that were begun, this one included. */
  readonly attempts: number
  readonly target_id: string
  /** True: the widget is there with its alerts on, and the account is open. */
  readonly wanted: boolean
  readonly owner_id: string
  /** Null: the owner is a user. */
  readonly anonymous_hash: string | null
  readonly widget_id: WidgetId
  readonly coin_a_id: CoinId
  readonly coin_b_id: CoinId
  readonly coin_a_symbol: string
  readonly coin_b_symbol: string
  readonly side: AlertSide
  readonly kind: (typeof alert_events.$inferSelect)['kind']
  readonly epoch: number
  readonly ratio: number
  readonly threshold: number
  /** Null: an alert of a threshold. */
  readonly measure: number | null
  readonly days: number | null
  /** Null: an alert that is of no rule. */
  readonly rule_id: string | null
  readonly level: number | null
  readonly rule_window: string | null
  readonly loudness: (typeof alert_events.$inferSelect)['loudness']
  readonly note: string | null
  readonly crossed_at: Date
  /** Quiet hours have held it until then; null: none have. */
  readonly held_until: Date | null
  /** The pair's prices at its default checkpoint, if that is older than the crossing, and those stored now; null: not known. */
  readonly prices: { readonly before: CoinPrices; readonly now: CoinPrices } | null
}

/** One alert on its way to one browser, and that browser's address and keys. */
export interface WaitingAlert extends WaitingCrossing {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly subscribed_at: Date
  /** True: the browser takes pushes in the declarative shape. */
  readonly declarative: boolean
  /** True: the browser has been sent a later crossing of this side, which this one would replace at its push service. */
  readonly superseded: boolean
  /** True: its push service has refused the browser, beside the fan-out of this alert. */
  readonly refused: boolean
}

/** One alert, or those of a digest, on their way to one browser; oldest first. */
export type AlertsOfPush = readonly [WaitingAlert, ...WaitingAlert[]]

/** Oldest first. */
export const byCrossing = (a: WaitingCrossing, b: WaitingCrossing): number =>
  a.crossed_at.getTime() - b.crossed_at.getTime() || a.epoch - b.epoch

/** Milliseconds since 1970 from which on a crossing may be told. */
export const tellableAt = ({ held_until, crossed_at }: Pick<WaitingCrossing, 'held_until' | 'crossed_at'>): number =>
  (held_until ?? crossed_at).getTime()

/** Alerts that are due for one browser at once, and yet one push each. */
const MOST_ALONE = 3
/** Alerts of one digest. */
const DIGEST_SIZE = 200

/**
 * How many of the due deliveries one push tells of: all, after quiet hours, or where there are many at once and the browser's
 * service worker can list them.
 */
function alertsOfPush(due: SQL): SQL {
  return sql`(SELECT CASE WHEN bool_or(e.held_until IS NOT NULL) OR (count(*) > ${MOST_ALONE} AND bool_or(s.kinds @> '{digest}'))
    THEN ${DIGEST_SIZE}::int ELSE 1 END
    FROM push_deliveries d JOIN alert_events e ON e.id = d.event_id JOIN push_subscriptions s ON s.id = d.subscription_id
    WHERE ${due})`
}

export const BROWSERS: DeliveryQueue = {
  deliveries: push_deliveries,
  targets: push_subscriptions,
  target: sql.identifier('subscription_id'),
  ttl: ALERT_TTL,
  lease: PUSH_TIMEOUT_MS + 10_000,
  perTry: alertsOfPush,
  together: sql`true`,
  marks: sql``,
  columns: sql`s.endpoint, s.p256dh, s.auth, s.subscribed_at, s.receipt_hash IS NOT NULL AS declarative, s.refused_at IS NOT NULL AS refused, EXISTS (
    SELECT FROM push_deliveries sent JOIN alert_events later ON later.id = sent.event_id
    WHERE sent.subscription_id = s.id AND sent.outcome = 'sent'
      AND later.widget_id = e.widget_id AND later.side = e.side AND later.kind = e.kind AND later.epoch > e.epoch
      AND later.rule_id IS NOT DISTINCT FROM e.rule_id) AS superseded`,
}

/** Crossings that one statement takes, so that the first are sent before the last are fanned out. */
const CROSSING_BATCH = 500

/**
 * Makes one delivery for each browser and each channel that is on, of the owners of waiting crossings, once, however many
 * processes do so. No delivery is made if the widget is gone, its alerts are switched off, the account is disabled or about
 * to be deleted, or the crossing is too old (or so far ahead that only a wrong clock can have seen it). One that only a
 * doubted clock calls too old waits. In its owner's quiet hours the deliveries wait until their end; while its owner has
 * paused alerts, or snoozed the pair, a crossing gets none. One with nobody to be told says whether its owner has no browser and no
 * channel, or browsers with an app that does not know its kind.
 * @returns false: no crossing waited
 */
export async function fanOut({ orm }: Database, now: number): Promise<boolean> {
  const { rows } = await orm.execute<{ owner_id: string | null; quiet_hours: QuietHours }>(quietOwners)
  // Mostly none is found: to plan the long statement would cost more than all else that a server does at rest.
  if (rows.length === 0) return false
  const settings = rows.filter(({ owner_id }) => owner_id !== null)
  const owners = settings.map(({ owner_id }) => owner_id)
  const ends = settings.map(({ quiet_hours }) => quietUntil(quiet_hours, now))
  const quiet = sql`unnest(${sql.param(owners)}::uuid[], ${sql.param(ends.map((end) => end && new Date(end)))}::timestamptz[])`
  await orm.execute(fanOutStatement(quiet, new Date(now), new Date(now - ALERT_TTL), new Date(now + ALERT_TTL)))
  return true
}

/**
 * Those whose quiet hours count now: by their wall clock, which the database does not reckon with. No row where no crossing
 * waits; a row of nulls where none of their owners has quiet hours.
 */
const quietOwners = sql`
WITH waiting AS MATERIALIZED (
  SELECT owner_id FROM alert_events WHERE delivery = 'waiting' ORDER BY crossed_at LIMIT ${2 * CROSSING_BATCH}
)
SELECT a.owner_id, a.quiet_hours FROM (SELECT FROM waiting LIMIT 1) any_waiting LEFT JOIN alert_settings a
  ON a.quiet_hours IS NOT NULL AND a.owner_id = ANY (ARRAY (SELECT owner_id FROM waiting))`

/*
 * taken:  not of owners whose quiet hours were not looked up: the next round takes them.
 * heard, reached: locked, so that a browser or a channel which leaves meanwhile is waited for, and then left out. A
 * delivery to a channel that keeps a pause is not looked at before its end. Quiet alerts are mailed together, once an hour.
 */
const fanOutStatement = (quiet: SQL, now: Date, oldest: Date, newest: Date) => sql`
WITH quiet AS MATERIALIZED (
  SELECT * FROM ${quiet} AS quiet (owner_id, ends_at)
), taken AS MATERIALIZED (
  SELECT id, owner_id, widget_id, kind, rule_id, loudness, crossed_at FROM alert_events e
  WHERE delivery = 'waiting' AND (crossed_at BETWEEN ${oldest} AND ${newest} OR NOT ${isDoubtedInSql(now.getTime())})
    AND COALESCE((
      SELECT a.quiet_hours IS NULL OR a.owner_id IN (SELECT owner_id FROM quiet) FROM alert_settings a WHERE a.owner_id = e.owner_id
    ), true)
  ORDER BY crossed_at LIMIT ${CROSSING_BATCH} FOR UPDATE SKIP LOCKED
), judged AS MATERIALIZED (
  SELECT taken.id, taken.owner_id, taken.kind, taken.loudness, CASE
    WHEN taken.crossed_at NOT BETWEEN ${oldest} AND ${newest} THEN 'too-late'
    WHEN w.id IS NULL AND NOT ${isOfWay(sql`taken`)} THEN 'widget-gone'
    WHEN NOT ${isSwitchedOn(sql`taken`)} THEN 'switched-off'
    WHEN ${isClosed} THEN 'account-closed'
    WHEN ${isPaused(sql`taken`, now)} THEN 'paused'
    WHEN NOT ${isOfWay(sql`taken`)} AND ${isSnoozedInSql(now)} THEN 'snoozed'
    ELSE 'fanned-out' END AS delivery, quiet.ends_at AS held_until
  FROM taken LEFT JOIN widgets w ON w.id = taken.widget_id LEFT JOIN users u ON u.id = taken.owner_id
  LEFT JOIN quiet ON quiet.owner_id = taken.owner_id
), heard AS MATERIALIZED (
  SELECT judged.id AS event_id, judged.owner_id, s.id AS subscription_id, COALESCE(judged.held_until, ${now}) AS next_attempt_at
  FROM judged JOIN push_subscriptions s ON s.owner_id = judged.owner_id
  WHERE judged.delivery = 'fanned-out' AND s.refused_at IS NULL
    AND (judged.kind = 'threshold' OR judged.kind = ANY (s.kinds)) FOR KEY SHARE OF s
), reached AS MATERIALIZED (
  SELECT judged.id AS event_id, judged.owner_id, c.id AS channel_id, greatest(c.free_at, COALESCE(judged.held_until, ${now}),
    CASE WHEN c.kind = 'email' AND judged.loudness = 'quiet' THEN ${nextHour(now)}::timestamptz END) AS next_attempt_at
  FROM judged JOIN alert_channels c ON c.owner_id = judged.owner_id
  WHERE judged.delivery = 'fanned-out' AND c.state = 'on' FOR KEY SHARE OF c
), marked AS (
  UPDATE alert_events e SET held_until = CASE judged.delivery WHEN 'fanned-out' THEN judged.held_until END,
    delivery = CASE WHEN judged.delivery <> 'fanned-out' OR told.event_id IS NOT NULL THEN judged.delivery
      WHEN EXISTS (SELECT FROM push_subscriptions s WHERE s.owner_id = judged.owner_id AND s.refused_at IS NULL) THEN 'older-app'
      ELSE 'no-way' END
  FROM judged LEFT JOIN (SELECT event_id FROM heard UNION SELECT event_id FROM reached) told ON told.event_id = judged.id
  WHERE e.id = judged.id
), made AS (
  INSERT INTO push_deliveries (owner_id, event_id, subscription_id, next_attempt_at)
  SELECT owner_id, event_id, subscription_id, next_attempt_at FROM heard
), made_for_channels AS (
  INSERT INTO channel_deliveries (owner_id, event_id, channel_id, next_attempt_at)
  SELECT owner_id, event_id, channel_id, next_attempt_at FROM reached
)
SELECT count(*) FROM taken`

const isOfWay = (event: SQL): SQL => sql`${event}.kind = ANY (${sql.param(WAY_KINDS)}::text[])`

const nextHour = (now: Date): Date => new Date((Math.floor(now.getTime() / HOUR) + 1) * HOUR)

/** True while the owner wants alerts of the kind of this event: by the widget `w`, by having its rule, or by the owner's settings. */
const isSwitchedOn = (event: SQL) => sql`CASE WHEN ${isOfWay(event)} THEN true
  WHEN ${event}.kind = 'threshold' THEN COALESCE(w.notifications_enabled, false)
  WHEN ${event}.kind = 'unjudged' THEN COALESCE(w.is_active, false)
  WHEN ${event}.rule_id IS NOT NULL THEN EXISTS (SELECT FROM alert_rules r WHERE r.id = ${event}.rule_id)
  ELSE w.id IS NOT NULL AND EXISTS (SELECT FROM alert_settings a WHERE a.owner_id = ${event}.owner_id AND a.extremes) END`

/** True while the owner of this event has paused all alerts. */
const isPaused = (event: SQL, now: Date) =>
  sql`EXISTS (SELECT FROM alert_settings a WHERE a.owner_id = ${event}.owner_id AND a.paused_until > ${now})`

/**
 * True for an account `u` that an operator has disabled, or whose deletion its owner has asked for: no browser is sent
 * its alerts. False where `u` is no row, as for guests.
 */
const isClosed = sql`(u.id IS NOT NULL AND (NOT u.is_active OR u.deletion_scheduled_at IS NOT NULL))`

/** No wait is longer. Milliseconds. */
const LONGEST_WAIT = 2 * DAY

/** Claims alerts for browsers: for each those of one push. */
export async function claimDue(database: Database, most: number, now: number): Promise<readonly AlertsOfPush[]> {
  const alerts = await claimFrom<WaitingAlert>(database, BROWSERS, most, now)
  const pushes = new Map<string, WaitingAlert[]>()
  for (const alert of alerts) {
    const known = pushes.get(alert.target_id)
    const one = { ...alert, subscribed_at: new Date(alert.subscribed_at) }
    if (known === undefined) pushes.set(alert.target_id, [one])
    else known.push(one)
  }
  return Array.from(pushes.values(), (push) => push.toSorted(byCrossing) as [WaitingAlert, ...WaitingAlert[]])
}

/**
 * Claims deliveries that are due, of at most `most` targets, and of each what one try takes: no process sends a target anything
 * else until the outcome is recorded or the claim runs out. So a pause that a receiver asks for holds for all that waits for it.
 */
export async function claimFrom<T extends WaitingCrossing>(
  { orm }: Database,
  queue: DeliveryQueue,
  most: number,
  now: number,
): Promise<readonly T[]> {
  // As in `fanOut`: the long statement is planned for nothing else.
  if ((await untilDue(orm, queue, now)) > 0) return []
  const { rows } = await orm.execute(claimStatement(queue, most, now))
  // A raw statement gives times as text.
  const time = (text: unknown) => (text === null ? null : new Date(text as string))
  const timesOf = ({ crossed_at, held_until }: (typeof rows)[number]) => ({
    crossed_at: time(crossed_at),
    held_until: time(held_until),
  })
  return rows.map((row) => ({ ...row, ...timesOf(row) }) as unknown as T)
}

/** Milliseconds until the first delivery that waits is due; 0: one is, though perhaps of a target that is busy. */
export async function untilDue(orm: Queryable, { deliveries }: DeliveryQueue, now: number): Promise<number> {
  const { rows } = await orm.execute<{ at: string | null }>(
    sql`SELECT min(next_attempt_at) AS at FROM ${deliveries} WHERE outcome = 'waiting'`,
  )
  const at = rows[0]?.at
  if (at == null) return LONGEST_WAIT
  const due = Date.parse(at)
  return isDue(due, now, LONGEST_WAIT) ? 0 : due - now
}

/** Due deliveries that a claim looks at for each target that it may take: many may wait for one. */
const DUE_PER_TARGET = 4

/*
 * head:   what has been due for longest, of targets that may be sent something: a claim costs what it takes, however much
 *         waits, and is full however much waits for targets that are busy. OFFSET 0 keeps the look-up by the target's id.
 * free:   its targets, each locked as it is taken. Not one that another process has claimed and freed since this statement
 *         began: PostgreSQL then has the row as it is now (its ctid is another), and all else as it was before that try.
 * chosen: of each what crossed first, locked and so still to be done. A crossing that only a doubted clock calls too
 *         late is left as it is: set right, the clock finds it in time.
 * Only `head` may read the index of due deliveries. The planner may take the queue for empty, and would read all of it for
 * each target; `|| ''` keeps it from that.
 */
const claimStatement = (queue: DeliveryQueue, most: number, now: number) => {
  const { deliveries, targets, target, ttl, lease, perTry, together, marks, columns } = queue
  const isDue = isDueInSql(sql`d.next_attempt_at`, now, LONGEST_WAIT)
  const isFree = isDueInSql(sql`s.free_at`, now, LONGEST_WAIT)
  const mayBeJudged = sql`(COALESCE(e.held_until, e.crossed_at) >= ${new Date(now - ttl)} OR NOT ${isDoubtedInSql(now)})`
  const due = sql`d.${target} = free.id AND d.outcome || '' = 'waiting' AND ${isDue} AND ${mayBeJudged}`
  return sql`
WITH head AS MATERIALIZED (
  SELECT d.${target} AS target_id, d.next_attempt_at, version FROM ${deliveries} d CROSS JOIN LATERAL (
    SELECT s.ctid::text AS version FROM ${targets} s WHERE s.id = d.${target} AND ${isFree} OFFSET 0
  ) may_be_sent
  WHERE d.outcome = 'waiting' AND ${isDue} ORDER BY d.next_attempt_at LIMIT ${most * DUE_PER_TARGET}
), free AS MATERIALIZED (
  SELECT s.id FROM (SELECT target_id, version FROM head GROUP BY 1, 2 ORDER BY min(next_attempt_at)) something
  CROSS JOIN LATERAL (
    SELECT s.id FROM ${targets} s
    WHERE s.id = something.target_id AND s.ctid::text = version AND ${isFree} FOR UPDATE SKIP LOCKED
  ) s LIMIT ${most}
), chosen AS MATERIALIZED (
  SELECT free.id AS target_id, first.id FROM free CROSS JOIN LATERAL (
    SELECT d.id FROM ${deliveries} d JOIN alert_events e ON e.id = d.event_id
    WHERE ${due} AND ${together}
    ORDER BY e.crossed_at, e.epoch LIMIT ${perTry(due)} FOR UPDATE OF d SKIP LOCKED
  ) first
), held AS (
  UPDATE ${targets} SET free_at = ${new Date(now + lease)} WHERE id = ANY (ARRAY (SELECT target_id FROM chosen)) RETURNING *
)
UPDATE ${deliveries} d SET attempts = d.attempts + 1${marks}
FROM held s, owners o, alert_events e LEFT JOIN widgets w ON w.id = e.widget_id LEFT JOIN users u ON u.id = e.owner_id
WHERE d.id = ANY (ARRAY (SELECT id FROM chosen)) AND s.id = d.${target} AND e.id = d.event_id AND o.id = e.owner_id
RETURNING d.id AS delivery_id, d.attempts, s.id AS target_id, ${columns},
  ${isSwitchedOn(sql`e`)} AND NOT ${isClosed}
    AND NOT ${isPaused(sql`e`, new Date(now))} AND (${isOfWay(sql`e`)} OR NOT ${isSnoozedInSql(new Date(now))}) AS wanted,
  e.owner_id, o.anonymous_hash, e.widget_id, e.coin_a_id, e.coin_b_id, e.coin_a_symbol, e.coin_b_symbol, e.side, e.kind,
  e.epoch, e.ratio, e.threshold, e.measure, e.days, e.rule_id, e.level, e.rule_window, e.loudness, e.note, e.crossed_at, e.held_until, (
    SELECT json_build_object('before', json_build_object('a', c.price_a, 'b', c.price_b),
      'now', json_build_object('a', a.usd, 'b', b.usd))
    FROM checkpoints c
    JOIN alert_source judged ON true
    JOIN market_coins coin_a ON coin_a.source = judged.source AND coin_a.id = e.coin_a_id
    JOIN market_coins coin_b ON coin_b.source = judged.source AND coin_b.id = e.coin_b_id
    JOIN market_prices a ON a.coin_key = coin_a.key
    JOIN market_prices b ON b.coin_key = coin_b.key
    WHERE c.widget_id = e.widget_id AND c.is_default AND c.price_a IS NOT NULL AND c.timestamp < e.crossed_at) AS prices`
}
