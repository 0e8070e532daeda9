import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { LocalDatabase } from './database'
import { leavingTables } from './leave-owner'
import { changePushRegistration } from './push-registration'
import { alertRowsOf } from './queries/alerts'
import { readMeta, writeMeta } from './queries/meta'
import type { SessionRow } from './rows'
import { writeTransaction } from './with-room'

/**
 * Removes everything of this browser's guest, and what was loaded for their pairs; the browser begins anew as another
 * guest. Data that users left here for their next login stays.
 * @param owner the guest who is to go; whoever else uses the browser by now is left alone
 * @param successor a fresh anonymous id
 */
export async function forgetGuest(db: LocalDatabase, owner: OwnerId, successor: OwnerId): Promise<void> {
  const loaded = [db.prices, db.ticks, db.history, db.history_fetches]
  await writeTransaction(db, [...leavingTables(db), ...loaded], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== owner || !isAnonymousOwner(owner)) return
    await forgetRows(db, owner)
    for (const table of loaded) await table.clear()
    await db.meta.bulkDelete(['price_poll', 'begun', 'sync_state'])
    // Nothing reaches this browser any more, and nothing is to before the new guest asks for it.
    await changePushRegistration(db, ({ stale }) => ({
      registered: null,
      off: true,
      deferred: null,
      stale: stale.filter((one) => one.owner !== owner),
    }))
    const fresh: SessionRow = { key: 'current', owner: successor, tokens: null, user: null, anonymous_id: successor }
    await db.session.put(fresh)
  })
}

async function forgetRows(db: LocalDatabase, owner: OwnerId): Promise<void> {
  for (const table of [db.widgets, db.checkpoints, db.outbox, db.notices]) {
    await table.where('owner').equals(owner).delete()
  }
  // Rows of the first version name no owner; a guest was alone with them.
  await db.ids.filter((row) => row.owner === owner || row.owner === undefined).delete()
  await alertRowsOf(db, owner).delete()
  await db.owners.delete(owner)
  for (const key of ['feedback_drafts', 'feedback_unanswered'] as const) {
    const { [owner]: _, ...others } = (await readMeta(db, key)) ?? {}
    await writeMeta(db, key, others as never)
  }
}
