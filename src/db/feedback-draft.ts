import { readOfOwner } from './identity'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import { writeTransaction } from './write-transaction'

/** Keeps what the present owner has typed until it has been sent; an empty text is no draft. */
export async function keepFeedbackDraft(db: LocalDatabase, text: string): Promise<void> {
  await writeTransaction(db, [db.session, db.meta], async () => {
    const session = await db.session.get('current')
    if (session === undefined) return
    const { [session.owner]: _, ...others } = (await readMeta(db, 'feedback_drafts')) ?? {}
    await writeMeta(db, 'feedback_drafts', text === '' ? others : { ...others, [session.owner]: text })
  })
}

/** Text that the current owner has typed and not sent; empty: none. */
export const readFeedbackDraft = async (db: LocalDatabase): Promise<string> =>
  (await readOfOwner(db, [db.meta], async ({ owner }) => (await readMeta(db, 'feedback_drafts'))?.[owner])) ?? ''
