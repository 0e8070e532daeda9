import { ALERT_FRESHNESS } from '../../domain/alerts'
import { DAY } from '../../domain/granularity'
import { canonical } from '../ids'
import type { LocalDatabase } from '../database'
import { alertsOf } from '../queries/alerts'
import type { AlertRow } from '../rows'
import { readKnownIds } from '../snapshot'
import { writeTransaction } from '../with-room'

/** How long an alert is kept on this device, and how many an owner has at most. */
const KEPT = 90 * DAY
const KEPT_ALERTS = 200

/** The tables of a claim; its transaction names them. */
export const claimTables = (db: LocalDatabase) => [db.alerts, db.ids] as const

export interface Claim {
  /** Whoever claims is the first on this device to learn of the crossing, and tells of it. */
  readonly isFirst: boolean
  /** The row as it is stored now. */
  readonly alert: AlertRow
  /** The names under which the crossing was announced here before its pair had the server's id. */
  readonly formerNames: readonly string[]
}

/**
 * Says whether a crossing is new to this device, and notes it if it is. Of several tabs, the service worker and the
 * server one is the first.
 */
export const claimAlert = (db: LocalDatabase, alert: AlertRow): Promise<boolean> =>
  writeTransaction(db, claimTables(db), async () => (await noteAlert(db, alert)).isFirst)

/** The same inside a transaction. A crossing of a pair that was made here may have been noted under its temporary id. */
export async function noteAlert(db: LocalDatabase, alert: AlertRow): Promise<Claim> {
  const ids = await readKnownIds(db)
  const widget_id = canonical(ids, alert.widget_id)
  const temps = [...ids].filter(([, real]) => real === widget_id).map(([temp]) => temp)
  const ending = alert.event_id.slice(alert.widget_id.length)
  const named = { ...alert, widget_id, event_id: `${widget_id}${ending}` }

  const names = [named.event_id, ...temps.map((temp) => `${temp}${ending}`)]
  const known = (await db.alerts.bulkGet(names)).filter((row) => row !== undefined)
  const formerNames = known.map((row) => row.event_id).filter((name) => name !== named.event_id)
  await db.alerts.bulkDelete(formerNames)
  const before = known.find((row) => isSameCrossing(row, named))
  const stored = before === undefined ? named : { ...before, widget_id, event_id: named.event_id }
  await db.alerts.put(stored)
  if (before === undefined) await prune(db, named)
  return { isFirst: before === undefined, alert: stored, formerNames }
}

/**
 * An arming fires once, but page and server may have seen it at different times. One that the page saw long before the
 * server did was over when the server looked; what the server has seen is another, and is news.
 */
const isSameCrossing = (known: AlertRow, alert: AlertRow): boolean =>
  alert.by === 'app' || alert.at - known.at < ALERT_FRESHNESS

async function prune(db: LocalDatabase, { owner, at }: AlertRow): Promise<void> {
  await alertsOf(db, owner, at - KEPT).delete()
  const oldestFirst = await alertsOf(db, owner).primaryKeys()
  await db.alerts.bulkDelete(oldestFirst.slice(0, -KEPT_ALERTS))
}
