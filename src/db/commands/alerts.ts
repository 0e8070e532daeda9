import { ALERT_FRESHNESS } from '../../domain/alerts'
import type { OwnerId } from '../../domain/ids'
import { alertRowsOf, noteAlert } from '../alert-rows'
import type { CommandContext } from '../command'
import type { LocalDatabase } from '../database'
import type { AlertRow } from '../rows'
import { writeTransaction } from '../write-transaction'

/** Notes a crossing; true if it is new to this device. Of several tabs and the service worker, one is the first. */
export const claimAlert = (db: LocalDatabase, alert: AlertRow): Promise<boolean> =>
  writeTransaction(db, [db.alerts], async () => (await noteAlert(db, alert)).isFirst)

/**
 * Takes the owner's alerts that no page has shown yet, oldest first: only the caller shows them. Those that are no longer
 * fresh are taken too and left out.
 * @param now milliseconds
 */
export async function claimToasts(db: LocalDatabase, owner: OwnerId, now: number): Promise<readonly AlertRow[]> {
  return writeTransaction(db, [db.alerts], async () => {
    const rows = await alertRowsOf(db, owner)
      .filter(({ toasted }) => !toasted)
      .toArray()
    await db.alerts.bulkPut(rows.map((row) => ({ ...row, toasted: true })))
    return rows.filter(({ at }) => now - at < ALERT_FRESHNESS)
  })
}

type Context = Pick<CommandContext, 'db' | 'now'>

/** Alerts that the user has seen count in no badge. */
export const markAlertsSeen = (context: Context, eventIds: readonly string[]): Promise<void> =>
  markSeen(context, eventIds, {})

/** The user has dealt with the notification of these alerts: no page shows a toast of them. */
export const putAway = (context: Context, eventIds: readonly string[]): Promise<void> =>
  markSeen(context, eventIds, { toasted: true })

/** Puts an alert away, to remind the user later of re-arming it. */
export const putOffRearming = (context: Context, eventId: string): Promise<void> =>
  markSeen(context, [eventId], { toasted: true, rearm_later: true })

async function markSeen({ db, now }: Context, eventIds: readonly string[], change: Partial<AlertRow>): Promise<void> {
  await writeTransaction(db, [db.alerts], async () => {
    const rows = (await db.alerts.bulkGet([...eventIds])).filter((row) => row !== undefined)
    await db.alerts.bulkPut(rows.map((row) => ({ ...row, seen_at: row.seen_at ?? now(), ...change })))
  })
}
