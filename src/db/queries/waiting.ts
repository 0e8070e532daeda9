import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { isLive } from '../mutations/mutation-types'
import { readMeta } from './meta'

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
    const [session, ops, left] = await Promise.all([
      db.session.get('current'),
      waitingOps(db),
      readMeta(db, 'revocations'),
    ])
    const syncState = session === undefined ? undefined : await db.owners.get(session.owner)
    const wanted = syncState !== undefined && (syncState.needs_pull || syncState.needs_account_refresh === true)
    return { owner: session?.owner ?? null, waiting: [...ops, ...(left ?? [])], wanted }
  })
}

/** The operation ids of the present owner's unanswered changes, in order; what a new change adds to. */
async function waitingOps(db: LocalDatabase): Promise<readonly string[]> {
  return db.transaction('r', db.session, db.outbox, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return []
    const entries = await db.outbox.where('owner').equals(session.owner).sortBy('seq')
    return entries.filter(isLive).map((entry) => entry.op_id)
  })
}

/**
 * Whose changes exist on this device alone, and how many: those that wait, those that were refused and can be tried
 * again, and those that only another version of the app can send. Of one moment: read apart, the guest's would pass for
 * the user's.
 */
export async function unsavedChanges(
  db: LocalDatabase,
): Promise<{ readonly owner: OwnerId | null; readonly count: number }> {
  return db.transaction('r', db.session, db.outbox, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return { owner: null, count: 0 }
    return { owner: session.owner, count: await db.outbox.where('owner').equals(session.owner).count() }
  })
}
