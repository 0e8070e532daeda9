import type { LocalDatabase } from '../database'
import { isLive } from '../kinds/registry'

/** Whether the present owner has done something that the server has not answered. */
export async function hasWaitingChanges(db: LocalDatabase): Promise<boolean> {
  return (await waitingOps(db)).length > 0
}

/** The operation ids of the present owner's unanswered changes, in order; what a new change adds to. */
export async function waitingOps(db: LocalDatabase): Promise<readonly string[]> {
  return db.transaction('r', db.session, db.outbox, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return []
    const entries = await db.outbox.where('owner').equals(session.owner).sortBy('seq')
    return entries.filter(isLive).map((entry) => entry.op_id)
  })
}
