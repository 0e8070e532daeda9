import { ALERT_FRESHNESS } from '../domain/alerts'
import { DAY } from '../domain/granularity'
import type { OwnerId } from '../domain/ids'
import { canonical, type KnownIds } from './board'
import type { LocalDatabase } from './database'
import { readKnownIds } from './board-rows'
import type { AlertRow } from './rows'

/** An owner's alerts by when they fired. */
export const alertRowsOf = (db: LocalDatabase, owner: AlertRow['owner'], before = Infinity) =>
  db.alerts.where('[owner+at]').between([owner, -Infinity], [owner, before])

/** An owner's alerts are kept on this device for so many milliseconds, and at most this many of them. */
export const ALERTS_KEPT_FOR = 90 * DAY
export const MAX_ALERTS = 1_000

/** The tables of a claim; its transaction names them. */
export const claimTables = (db: LocalDatabase) => [db.alerts, db.ids] as const

export interface Claim {
  /** The first context on this device to insert the crossing announces it. */
  readonly isFirst: boolean
  /** The row as it is stored now. */
  readonly alert: AlertRow
  /** The names under which the crossing was announced here before its pair had the server's id. */
  readonly formerNames: readonly string[]
}

/** Notes a crossing inside a transaction. */
export async function noteAlert(db: LocalDatabase, alert: AlertRow): Promise<Claim> {
  const [claim] = await noteAlerts(db, [alert])
  return claim!
}

/**
 * Notes several crossings of one owner inside a transaction. A crossing of a pair that was made here may have been noted
 * under its temporary id.
 */
export async function noteAlerts(db: LocalDatabase, alerts: readonly AlertRow[]): Promise<readonly Claim[]> {
  const ids = await readKnownIds(db)
  const named = alerts.map((alert) => withNames(ids, alert))
  const names = named.flatMap((one) => one.names)
  const rows = (await db.alerts.bulkGet(names)).filter((row) => row !== undefined)
  const known = new Map(rows.map((row) => [row.event_id, row]))
  const claims = named.map((one) => claimOf(one, known))
  await db.alerts.bulkDelete(claims.flatMap((claim) => claim.formerNames))
  await db.alerts.bulkPut(claims.map((claim) => claim.alert))
  const [latest] = claims
    .filter((claim) => claim.isFirst)
    .map((claim) => claim.alert)
    .toSorted((a, b) => b.at - a.at)
  if (latest !== undefined) await pruneAlerts(db, latest.owner, latest.at)
  return claims
}

/** The alert by the server's id, where its pair has one, and all names of its crossing, the alert's own first. */
function withNames(ids: KnownIds, alert: AlertRow) {
  const widget_id = canonical(ids, alert.widget_id)
  const temps = [...ids].filter(([, real]) => real === widget_id).map(([temp]) => temp)
  const ending = alert.event_id.slice(alert.widget_id.length)
  const event_id = `${widget_id}${ending}`
  return { alert: { ...alert, widget_id, event_id }, names: [event_id, ...temps.map((temp) => `${temp}${ending}`)] }
}

function claimOf({ alert, names }: ReturnType<typeof withNames>, known: ReadonlyMap<string, AlertRow>): Claim {
  const rows = names.flatMap((name) => known.get(name) ?? [])
  const formerNames = rows.map((row) => row.event_id).filter((name) => name !== alert.event_id)
  const before = rows.find((row) => isSameCrossing(row, alert))
  return before === undefined ? { isFirst: true, alert, formerNames } : { ...merged(before, alert), formerNames }
}

/** Takes over the server's fields of a crossing, the same on every device; this device's own fields stay. */
function merged(before: AlertRow, alert: AlertRow): Pick<Claim, 'isFirst' | 'alert'> {
  const { event_id, widget_id } = alert
  // Not fresh when it was pulled, and yet the server pushed it: nothing has announced it yet.
  const isFirst = before.quiet === true && alert.by === 'push'
  const { quiet: _, ...announced } = before
  const mine = isFirst ? { ...announced, by: alert.by } : before
  if (alert.by === 'app' || alert.crossed_at === undefined) return { isFirst, alert: { ...mine, event_id, widget_id } }
  const { ratio, threshold, at, crossed_at, back_at } = alert
  const says = { ratio, threshold, at, crossed_at, ...(back_at !== undefined && { back_at }) }
  return { isFirst, alert: { ...mine, event_id, widget_id, ...says } }
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
 * @param now milliseconds
 */
export async function pruneAlerts(db: LocalDatabase, owner: OwnerId, now: number): Promise<void> {
  await alertRowsOf(db, owner, now - ALERTS_KEPT_FOR).delete()
  const oldestFirst = await alertRowsOf(db, owner).primaryKeys()
  await db.alerts.bulkDelete(oldestFirst.slice(0, -MAX_ALERTS))
}
