import type { OwnerId } from '../../domain/ids'
import { readOfOwner } from '../account'
import { type LocalDatabase, readMeta } from '../database'
import { isLive } from '../mutations/mutation-types'
import { readEntries } from '../snapshot'

/** Waiting work of the engine. */
export interface Work {
  readonly owner: OwnerId | null
  /** Operation ids of the owner's unanswered changes, and the sessions that were left here. */
  readonly waiting: readonly string[]
  /** An answer of the server wants another pull, or another account refresh, at once. */
  readonly wanted: boolean
}

export async function readWork(db: LocalDatabase): Promise<Work> {
  return db.transaction('r', db.session, db.owners, db.outbox, db.meta, async () => {
    const [session, left = []] = await Promise.all([db.session.get('current'), readMeta(db, 'revocations')])
    if (session === undefined) return { owner: null, waiting: left, wanted: false }
    const { owner } = session
    const [syncState, entries] = await Promise.all([db.owners.get(owner), readEntries(db, owner)])
    const waiting = [...entries.filter(isLive).map((entry) => entry.op_id), ...left]
    const wanted = syncState !== undefined && (syncState.needs_pull || syncState.needs_account_refresh === true)
    return { owner, waiting, wanted }
  })
}

/**
 * How many changes exist on this device alone, and whose: those that wait, that were refused and can be tried again, and
 * that only another version of the app can send. Read in one moment, or the guest's would pass for the user's.
 */
export async function unsavedChanges(
  db: LocalDatabase,
): Promise<{ readonly owner: OwnerId | null; readonly count: number }> {
  const unsaved = await readOfOwner(db, [db.outbox], async ({ owner }) => {
    return { owner, count: await db.outbox.where('owner').equals(owner).count() }
  })
  return unsaved ?? { owner: null, count: 0 }
}
