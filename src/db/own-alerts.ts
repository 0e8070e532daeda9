import type { AlertSettings } from '../contract/alerts'
import type { OwnerId } from '../domain/ids'
import { readEntries } from './board-rows'
import type { LocalDatabase } from './database'
import { readOfOwner } from './identity'
import { isLive } from './mutations/mutation-types'
import type { OwnerRow } from './rows'

export interface OwnAlerts extends AlertSettings {
  /** The server has said what it has, which another device may have changed. */
  readonly isPulled: boolean
  readonly offer: OwnerRow['extremes_offer']
}

/** An owner's alerts beside those of thresholds, and what holds them, with the changes that the server has not answered. */
export async function readAlertsOf(db: LocalDatabase, owner: OwnerId): Promise<OwnAlerts> {
  const [syncState, entries] = await Promise.all([db.owners.get(owner), readEntries(db, owner)])
  const changes = entries.flatMap((entry) =>
    entry.kind === 'alert-settings.save@1' && isLive(entry) ? [entry.payload.body] : [],
  )
  const stored = syncState?.alert_settings
  const settings: AlertSettings = Object.assign({ extremes: false }, stored, ...changes)
  return { ...settings, isPulled: stored !== undefined, offer: syncState?.extremes_offer }
}

/** Those of the present owner. */
export const readOwnAlerts = (db: LocalDatabase): Promise<OwnAlerts | undefined> =>
  readOfOwner(db, [db.owners, db.outbox], ({ owner }) => readAlertsOf(db, owner))
