import { changeBook, raiseRevision } from '../../../src/db/answers/owner-book'
import type { LocalDatabase } from '../../../src/db/database'
import type { User } from '../../../src/contract/session'
import type { SessionRow } from '../../../src/db/rows'
import type { OwnerId } from '../../../src/domain/ids'

/** What a login leaves in the local database: the guest is set aside, and the user's queue goes on. */
export async function signIn(db: LocalDatabase, user: User, tokens: NonNullable<SessionRow['tokens']>): Promise<void> {
  await db.transaction('rw', db.session, db.owners, async () => {
    const session = (await db.session.get('current'))!
    await db.session.put({ ...session, owner: user.id as OwnerId, tokens, user })
    await changeBook(db, user.id as OwnerId, { paused: false, pulled_at: null })
  })
}

/** What a logout leaves: the guest is back, and the user's rows are gone; what waits stays for the next login. */
export async function signOut(db: LocalDatabase): Promise<void> {
  await db.transaction('rw', [db.session, db.owners, db.widgets, db.checkpoints], async () => {
    const session = (await db.session.get('current'))!
    await db.widgets.where('owner').equals(session.owner).delete()
    await db.checkpoints.where('owner').equals(session.owner).delete()
    await raiseRevision(db, session.owner, { pulled_at: null })
    await db.session.put({ ...session, owner: session.anonymous_id, tokens: null, user: null })
  })
}
