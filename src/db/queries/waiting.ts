import type { OwnerId } from '../../domain/ids'
import { readOfOwner } from '../identity'
import { readOwnerSyncState } from '../owner-sync-state'
import { type LocalDatabase, readMeta } from '../database'
import { isLive } from '../mutations/mutation-types'
import { readEntries } from '../board-rows'
import { isAccountOutdated, isListOutdated, isVersionOutdated } from '../held-revisions'
/** Waiting work of the engine. */
export interface Work {
  readonly owner: OwnerId | null
  /** Operation ids of the owner's unanswered changes, and the sessions that were left here. */
  readonly waiting: readonly string[]
  /**
   * Names what an answer of the server or the stream wants fetched at once: another name is another request, an equal one
   * is tried again by the clock. Null: nothing.
   */
  readonly wanted: string | null
}

export async function readWork(db: LocalDatabase): Promise<Work> {
  return db.transaction('r', db.session, db.owners, db.outbox, db.meta, async () => {
    const [session, left = []] = await Promise.all([db.session.get('current'), readMeta(db, 'revocations')])
    if (session === undefined) return { owner: null, waiting: left, wanted: null }
    const { owner } = session
    const [syncState, entries, versions] = await Promise.all([
      readOwnerSyncState(db, owner),
      readEntries(db, owner),
      readMeta(db, 'versions'),
    ])
    const waiting = [...entries.filter(isLive).map((entry) => entry.op_id), ...left]
    // The answers under way may bring this device to the revision that the stream has named.
    const isOverdue = isListOutdated(syncState) && !entries.some((entry) => entry.state === 'leased')
    const wanted = [
      syncState.needs_pull && 'pull',
      isOverdue && `list ${syncState.told_revision}`,
      isAccountOutdated(syncState) && `account ${syncState.told_account}`,
      isVersionOutdated(versions, 'config') && `config ${versions?.config?.told}`,
      isVersionOutdated(versions, 'closes') && `closes ${versions?.closes?.told}`,
      session.tokens !== null && isVersionOutdated(versions, 'policies') && `policies ${versions?.policies?.told}`,
    ].filter((one) => one !== false)
    return { owner, waiting, wanted: wanted.length === 0 ? null : wanted.join(', ') }
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
