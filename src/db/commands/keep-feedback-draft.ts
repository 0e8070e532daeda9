import type { LocalDatabase } from '../database'
import { readMeta, writeMeta } from '../queries/meta'
import { writeTransaction } from '../with-room'

/** Keeps what the present owner has typed until it has been sent; an empty text is no draft. */
export async function keepFeedbackDraft(db: LocalDatabase, text: string): Promise<void> {
  await writeTransaction(db, [db.session, db.meta], async () => {
    const session = await db.session.get('current')
    if (session === undefined) return
    const { [session.owner]: _, ...others } = (await readMeta(db, 'feedback_drafts')) ?? {}
    await writeMeta(db, 'feedback_drafts', text === '' ? others : { ...others, [session.owner]: text })
  })
}
