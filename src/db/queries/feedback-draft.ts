import type { LocalDatabase } from '../database'
import { readMeta } from './meta'

/** What the present owner has typed and not sent; empty: nothing. */
export async function readFeedbackDraft(db: LocalDatabase): Promise<string> {
  return db.transaction('r', db.session, db.meta, async () => {
    const session = await db.session.get('current')
    const drafts = await readMeta(db, 'feedback_drafts')
    return session === undefined ? '' : (drafts?.[session.owner] ?? '')
  })
}
