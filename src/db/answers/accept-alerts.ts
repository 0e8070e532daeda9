import type { AlertsAnswer } from '../../contract/alerts'
import { isFreshForAlerts } from '../../domain/alerts'
import type { OwnerId } from '../../domain/ids'
import { claimTables, noteAlerts, pruneAlerts } from '../commands/claim-alert'
import type { LocalDatabase } from '../database'
import type { AlertRow, AlertsPull } from '../rows'
import { readClockAhead } from '../server-clock'
import { writeTransaction } from '../with-room'
import { alertOfPush } from './accept-push'
import { changeOwnerSyncState, readOwnerSyncState } from './owner-sync-state'

/**
 * Brings a page of the server's list of crossings home, in one transaction. Of what is new to this device, crossings of
 * the last ten minutes are announced by whoever gets them from here, as long as the pair is there and its alerts are on;
 * others are listed without a word. Those of an owner's first pull on this device are history, and count as seen.
 * @param now milliseconds
 * @returns what is to be announced; null, and nothing is written, where it is not `owner` who uses this browser
 */
export async function acceptAlerts(
  db: LocalDatabase,
  owner: OwnerId,
  { as_of, alerts }: AlertsAnswer,
  now: number,
): Promise<readonly AlertRow[] | null> {
  return writeTransaction(db, [db.session, db.owners, db.widgets, db.meta, ...claimTables(db)], async () => {
    const session = await db.session.get('current')
    if (session?.owner !== owner) return null
    const [ahead, { alerts_pull }] = [await readClockAhead(db), await readOwnerSyncState(db, owner)]
    const pairs = await db.widgets.where('owner').equals(owner).toArray()
    const wanted = new Set(pairs.filter((pair) => pair.notifications_enabled).map(({ id }) => id))
    const rows = alerts.map((crossing): AlertRow => {
      const row = alertOfPush(crossing, owner, ahead)
      const back = crossing.back_at === null ? {} : { back_at: Date.parse(crossing.back_at) + ahead }
      // Both by the server's clock, so that this device's own does not matter.
      const isFresh = isFreshForAlerts(Date.parse(crossing.crossed_at), Date.parse(as_of))
      if (isFresh && wanted.has(crossing.widget_id)) return { ...row, ...back, by: 'sync' }
      return { ...row, ...back, by: 'sync', toasted: true, quiet: true, seen_at: alerts_pull == null ? now : null }
    })
    const claims = await noteAlerts(db, rows)
    await pruneAlerts(db, owner, Date.parse(as_of) + ahead)
    return claims.filter(({ isFirst, alert }) => isFirst && alert.quiet !== true).map(({ alert }) => alert)
  })
}

/** Notes that all of an owner's crossings are home, unless somebody else uses this browser by now. */
export async function noteAlertsPull(db: LocalDatabase, owner: OwnerId, alerts_pull: AlertsPull): Promise<void> {
  await writeTransaction(db, [db.session, db.owners], async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner) await changeOwnerSyncState(db, owner, { alerts_pull })
  })
}
