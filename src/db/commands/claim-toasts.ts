import { ALERT_FRESHNESS } from '../../domain/alerts'
import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { alertRowsOf } from '../queries/alerts'
import type { AlertRow } from '../rows'
import { writeTransaction } from '../with-room'

/**
 * Takes the owner's alerts that no page has shown yet: whoever asks shows them, oldest first, and nobody else does.
 * Those that are no news any more are taken with them and left out.
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
