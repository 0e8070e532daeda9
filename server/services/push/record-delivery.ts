import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/open'
import { type AlertsOfPush, BROWSERS, type DeliveryQueue, type WaitingAlert } from './delivery-queue'

/** An outcome after which there is nothing more to do. Times are milliseconds since 1970. */
interface EndedOutcome {
  readonly kind: 'sent' | 'undeliverable' | 'too-late' | 'unwanted' | 'superseded'
  readonly freeAt: number
}

/** Outcome of a try. Times are milliseconds since 1970. */
export type DeliveryOutcome =
  | EndedOutcome
  | { readonly kind: 'again'; readonly nextAttempt: number; readonly freeAt: number }
  /** The subscription is over: it goes, and its deliveries with it. */
  | { readonly kind: 'gone' }
  /** It is not used until the browser subscribes anew; what waits for it has ended with it. */
  | { readonly kind: 'refused' }

/** Log messages of the outcomes. */
export const DELIVERY_MESSAGES: Readonly<Record<DeliveryOutcome['kind'], string>> = {
  sent: 'alert sent',
  again: 'alert could not be sent yet',
  gone: 'subscription removed: its push service no longer knows it',
  refused: 'subscription put aside: its push service takes nothing from us',
  undeliverable: 'alert given up',
  'too-late': 'alert given up: it could not be sent in time',
  unwanted: 'alert not wanted any more',
  superseded: 'alert given up: a later one was sent',
}

/** Deliveries of one try, and their target. */
export interface Tried {
  readonly queue: DeliveryQueue
  readonly target: string
  readonly deliveries: readonly string[]
}

/** A try ends its deliveries with an outcome, or puts them off. Times are milliseconds since 1970. */
type Left =
  | { readonly ended: string; readonly freeAt: number }
  | { readonly again: number; readonly freeAt: number }
  /** The target gets nothing more: all that waits for it ends with this outcome; where `unless` holds of the target `s`, the try alone. */
  | { readonly all: string; readonly unless?: SQL; readonly freeAt: number }

/**
 * Records what a try has left, and frees its target. The target's row is locked before the deliveries', as in every
 * statement that changes both; a target that is gone meanwhile has taken its deliveries along.
 * @returns how many deliveries this changed: another process may have recorded them
 * @param noted what changes in the target `s` besides, with its comma
 */
export async function recordTry(
  db: Queryable,
  { queue: { deliveries, targets, target }, target: id, deliveries: tried }: Tried,
  left: Left,
  now: number,
  noted: SQL = sql``,
): Promise<number> {
  const at = new Date(now)
  const freeAt = new Date(left.freeAt)
  const isExcepted = ('all' in left ? left.unless : undefined) ?? sql`false`
  const held = sql`
    WITH held AS MATERIALIZED (
      UPDATE ${targets} s SET free_at = ${freeAt}${noted} WHERE id = ${id} RETURNING id, ${isExcepted} AS is_excepted
    )`
  const waiting = sql`outcome = 'waiting' AND ${target} = ANY (ARRAY (SELECT id FROM held))`
  const its = sql`id = ANY (${sql.param(tried)}::uuid[]) AND ${waiting}`
  const change = async (set: SQL, which: SQL) => {
    const { rowCount } = await db.execute(sql`${held} UPDATE ${deliveries} SET ${set} WHERE ${which}`)
    return rowCount ?? 0
  }
  if ('all' in left) {
    const which = sql`CASE WHEN (SELECT is_excepted FROM held) THEN ${its} ELSE ${waiting} END`
    return change(sql`outcome = ${left.all}, ended_at = ${at}`, which)
  }
  if ('ended' in left) return change(sql`outcome = ${left.ended}, ended_at = ${at}`, its)
  const changed = await change(sql`next_attempt_at = ${new Date(left.again)}`, its)
  // A pause holds for all that waits for the target: none of it is to be looked at before.
  if (left.freeAt > now)
    await db.execute(sql`
      UPDATE ${deliveries} SET next_attempt_at = ${freeAt}
      WHERE ${target} = ${id} AND outcome = 'waiting' AND next_attempt_at < ${freeAt}`)
  return changed
}

/** Records the outcome of a try to send to a browser, and frees the browser. */
async function recordDelivery(
  { orm }: Database,
  alerts: AlertsOfPush,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  const [{ target_id, subscribed_at }] = alerts
  const tried = { queue: BROWSERS, target: target_id, deliveries: alerts.map(({ delivery_id }) => delivery_id) }
  switch (outcome.kind) {
    case 'sent':
    case 'undeliverable':
    case 'too-late':
    case 'unwanted':
    case 'superseded':
      await recordTry(orm, tried, { ended: outcome.kind, freeAt: outcome.freeAt }, now)
      return
    case 'again':
      await recordTry(orm, tried, { again: outcome.nextAttempt, freeAt: outcome.freeAt }, now)
      return
    case 'gone':
      // Its deliveries go with it: the crossings keep why.
      await orm.execute(sql`
        WITH lost AS (
          UPDATE alert_events SET delivery = 'device-gone' WHERE id = ANY (ARRAY (
            SELECT event_id FROM push_deliveries WHERE subscription_id = ${target_id} AND outcome = 'waiting'))
        )
        DELETE FROM push_subscriptions WHERE id = ${target_id}`)
      return
    case 'refused': {
      // A browser that has subscribed anew meanwhile may have other keys: that is for its next alert to find out.
      const isRenewed = sql`s.subscribed_at <> ${subscribed_at}`
      const refused = sql`, refused_at = CASE WHEN NOT ${isRenewed} THEN COALESCE(s.refused_at, ${new Date(now)}) END`
      await recordTry(orm, tried, { all: 'refused', unless: isRenewed, freeAt: now }, now, refused)
    }
  }
}

interface EndedDelivery {
  readonly alert: Pick<WaitingAlert, 'delivery_id' | 'target_id'>
  readonly outcome: EndedOutcome
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Records deliveries that have ended, of different browsers, in one statement. A browser whose row another transaction
 * holds is left out: several rows are locked here, so waiting for one could be waiting for each other.
 * @returns ids of the deliveries that were left out; `recordDelivery` records each by itself
 */
async function recordEnded({ orm }: Database, ended: readonly EndedDelivery[]): Promise<ReadonlySet<string>> {
  const column = <T>(value: (one: EndedDelivery) => T) => sql.param(ended.map(value))
  const { rows } = await orm.execute<{ id: string }>(sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${column(({ alert }) => alert.delivery_id)}::uuid[],
        ${column(({ alert }) => alert.target_id)}::uuid[], ${column(({ outcome }) => outcome.kind)}::text[],
        ${column(({ outcome }) => new Date(outcome.freeAt))}::timestamptz[], ${column(({ now }) => new Date(now))}::timestamptz[]
      ) AS given (delivery_id, subscription_id, outcome, free_at, ended_at)
    ), locked AS MATERIALIZED (
      SELECT id FROM push_subscriptions WHERE id = ANY (ARRAY (SELECT subscription_id FROM given))
      FOR NO KEY UPDATE SKIP LOCKED
    ), freed AS (
      UPDATE push_subscriptions s SET free_at = given.free_at FROM given, locked
      WHERE locked.id = given.subscription_id AND s.id = given.subscription_id
      RETURNING given.delivery_id
    ), recorded AS (
      UPDATE push_deliveries d SET outcome = CASE d.outcome WHEN 'waiting' THEN given.outcome ELSE d.outcome END,
        ended_at = COALESCE(d.ended_at, given.ended_at)
      FROM given, freed
      WHERE freed.delivery_id = given.delivery_id AND d.id = given.delivery_id AND d.subscription_id = given.subscription_id
    )
    SELECT delivery_id AS id FROM given WHERE delivery_id <> ALL (ARRAY (SELECT delivery_id FROM freed))`)
  return new Set(rows.map(({ id }) => id))
}

/** Deliveries that one statement records. */
const RECORD_BATCH = 200

/** Records the outcome of a try of the given alerts to one browser; resolves once the outcome is committed. */
export type RecordDelivery = (alerts: AlertsOfPush, outcome: DeliveryOutcome, now: number) => Promise<void>

interface Waiting extends EndedDelivery {
  readonly alert: WaitingAlert
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * Records deliveries that end while a statement is under way with the next statement, together: a commit for each would
 * limit a process to some hundred a second. The first is recorded at once, so that nothing waits for company.
 */
export function deliveryRecorder(database: Database): RecordDelivery {
  let waiting: Waiting[] = []
  let running = false

  async function recordWaiting(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, RECORD_BATCH)
      waiting = waiting.slice(RECORD_BATCH)
      try {
        const leftOut = await recordEnded(database, batch)
        for (const one of batch) {
          // The others' outcomes do not wait for the lock on this browser.
          if (leftOut.has(one.alert.delivery_id)) void recordAlone(one)
          else one.done()
        }
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
    }
    running = false
  }

  const recordAlone = ({ alert, outcome, now, done, failed }: Waiting): Promise<void> =>
    recordDelivery(database, [alert], outcome, now).then(done, failed)

  return (alerts, outcome, now) => {
    const [alert] = alerts
    if (!isEnded(outcome) || alerts.length > 1) return recordDelivery(database, alerts, outcome, now)
    return new Promise((done, failed) => {
      waiting.push({ alert, outcome, now, done, failed })
      if (!running) void recordWaiting()
    })
  }
}

const isEnded = (outcome: DeliveryOutcome): outcome is EndedOutcome =>
  outcome.kind !== 'again' && outcome.kind !== 'gone' && outcome.kind !== 'refused'
