import type { LocalDatabase } from '../database'
import type { NoticeRow } from '../rows'

/** The present owner's notices, oldest first. */
export async function readNotices(db: LocalDatabase): Promise<readonly (NoticeRow & { readonly id: number })[]> {
  return db.transaction('r', db.session, db.notices, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return []
    const notices = await db.notices.where('owner').equals(session.owner).sortBy('id')
    return notices as (NoticeRow & { readonly id: number })[]
  })
}

export const dismissNotice = (db: LocalDatabase, id: number): Promise<void> => db.notices.delete(id)
