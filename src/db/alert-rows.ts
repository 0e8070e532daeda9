import { ALERT_FRESHNESS } from '../domain/alerts'
import { DAY } from '../domain/granularity'
import type { OwnerId } from '../domain/ids'
import type { LocalDatabase } from './database'
import type { AlertRow } from './rows'

/** An owner's alerts by when they fired. */
export const alertRowsOf = (db: LocalDatabase, owner: AlertRow['owner'], before = Infinity) =>
  db.alerts.where('[owner+at]').between([owner, -Infinity], [owner, before])

/** An owner's alerts are kept on this device for so many milliseconds, and at most this many of them. */
export const ALERTS_KEPT_FOR = 90 * DAY
export const MAX_ALERTS = 1_000

export interface Claim {
  /** The first context on this device to insert the crossing announces it. */
  readonly isFirst: boolean
  /** The row as it is stored now. */
  readonly alert: AlertRow
}

/** Notes a crossing inside a transaction. */
export async function noteAlert(db: LocalDatabase, alert: AlertRow): Promise<Claim> {
  const [claim] = await noteAlerts(db, [alert])
  return claim!
}

/** Notes several crossings inside a transaction. */
export async function noteAlerts(db: LocalDatabase, alerts: readonly AlertRow[]): Promise<readonly Claim[]> {
  const known = await db.alerts.bulkGet(alerts.map(({ event_id }) => event_id))
  const claims = alerts.map((alert, index) => claimOf(known[index], alert))
  await db.alerts.bulkPut(claims.map(({ alert }) => alert))
  return claims
}

/** Takes over the server's fields of a known crossing, the same on every device; this device's own fields stay. */
function claimOf(before: AlertRow | undefined, alert: AlertRow): Claim {
  if (before === undefined || !isSameCrossing(before, alert)) return { isFirst: true, alert }
  // Not fresh or held when it was pulled, and yet the server pushed it: nothing has announced it yet.
  const isFirst = before.quiet === true && alert.by === 'push'
  const { quiet: _, ...announced } = before
  const mine = isFirst ? { ...announced, by: alert.by } : before
  if (alert.by === 'app' || alert.crossed_at === undefined) return { isFirst, alert: mine }
  const { ratio, threshold, at, crossed_at, back_at, held_until, deliveries, not_sent } = alert
  const later = { ...(back_at !== undefined && { back_at }), ...(held_until !== undefined && { held_until }) }
  const says = { ratio, threshold, at, crossed_at, ...later }
  // The server knows them for 30 days, of which its last word stays.
  if (deliveries === undefined && not_sent === undefined) return { isFirst, alert: { ...mine, ...says } }
  const { deliveries: _deliveries, not_sent: _not_sent, ...rest } = mine
  return { isFirst, alert: { ...rest, ...says, ...(deliveries && { deliveries }), ...(not_sent && { not_sent }) } }
}

/**
 * The server gives each crossing one time, so two of its times tell crossings apart, whatever this device's clock says. An
 * epoch that the page saw fire may have been over at the server's check: then the server's crossing of that name is another,
 * later one.
 */
function isSameCrossing(known: AlertRow, alert: AlertRow): boolean {
  if (alert.by === 'app') return true
  if (known.crossed_at !== undefined && alert.crossed_at !== undefined) return known.crossed_at === alert.crossed_at
  return alert.at - known.at < ALERT_FRESHNESS
}

/**
 * Removes an owner's alerts that are too old or too many, inside a transaction.
 * @param now milliseconds, as the server says: this device's own clock may be a year ahead, and removed rows do not come again
 */
export async function pruneAlerts(db: LocalDatabase, owner: OwnerId, now: number): Promise<void> {
  await alertRowsOf(db, owner, now - ALERTS_KEPT_FOR).delete()
  const oldestFirst = await alertRowsOf(db, owner).primaryKeys()
  await db.alerts.bulkDelete(oldestFirst.slice(0, -MAX_ALERTS))
}
