import { acceptSignIn } from '../../../src/db/answers/session-answers'
import type { LocalDatabase } from '../../../src/db/database'
import type { User } from '../../../src/contract/session'
import type { SessionRow } from '../../../src/db/rows'

/** Rows that a login leaves in the local database. */
export async function signIn(
  db: LocalDatabase,
  user: User,
  tokens: NonNullable<SessionRow['tokens']>,
  now: number,
): Promise<void> {
  const asked = (await db.session.get('current'))!.owner
  await acceptSignIn(db, { asked, user, tokens, deletionCancelled: false }, now)
}
