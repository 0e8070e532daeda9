import type { AlertSettings } from '../contract/alerts'
import { changeOwnerSyncState, readOwnerSyncState } from '../db/owner-sync-state'
import { writeTransaction } from '../db/write-transaction'
import type { OwnerId } from '../domain/ids'
import type { EngineEnv } from './env'
import { isProblem, type Problem } from './pull-alerts'
import { readKinds } from './known-kinds'
import { sendAs } from './request'

/**
 * Pulls what the owner is alerted of beside thresholds, which is of the revision of the widgets.
 * @param isChanged the widgets have just come with another revision
 * @returns why it could not be had; null: it is here, or there is none
 */
export async function pullAlertSettings(env: EngineEnv, owner: OwnerId, isChanged: boolean): Promise<Problem | null> {
  const { db } = env
  const before = await readOwnerSyncState(db, owner)
  if ((before.alert_settings !== undefined && !isChanged) || (await readKinds(db)) === undefined) return null
  const answer = await sendAs(env, owner, { route: 'alertSettings' })
  if (answer.kind !== 'ok') return isProblem(answer, owner) ? answer : null
  await writeTransaction(db, [db.session, db.owners], async () => {
    if ((await db.session.get('current'))?.owner !== owner) return
    // An answer to a change of this device has come meanwhile, and may be the later word.
    const isLatest = (await readOwnerSyncState(db, owner)).applied_rev === before.applied_rev
    const alert_settings = answer.value as AlertSettings
    await changeOwnerSyncState(db, owner, isLatest ? { alert_settings } : { needs_pull: true })
  })
  return null
}
