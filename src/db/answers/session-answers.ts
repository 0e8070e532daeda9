import type { User } from '../../contract/session'
import type { LocalDatabase } from '../database'
import type { SessionRow } from '../rows'
import { writeTransaction } from '../with-room'
import { changeOwnerSyncState, raiseRevision } from './owner-sync-state'
import { isDeletionCancelled, leaveWelcome } from './welcome-back'

type Tokens = NonNullable<SessionRow['tokens']>

/** The session is still the one that `before` was read of: nobody signed in or out, and nobody else refreshed. */
const isSame = (session: SessionRow | undefined, before: SessionRow): session is SessionRow =>
  session?.owner === before.owner && session.tokens?.refresh === before.tokens?.refresh

/**
 * The session with what the server said of its user. What was written since the server was asked is newer and stays:
 * an acceptance of the policies must not be undone by an answer that was on its way.
 */
async function withUser(
  db: LocalDatabase,
  session: SessionRow,
  before: SessionRow,
  user: User | undefined,
  now: number,
): Promise<SessionRow> {
  if (user === undefined || user.id !== session.owner) return session
  if (JSON.stringify(session.user) !== JSON.stringify(before.user)) return session
  if (isDeletionCancelled(session.user, user)) await leaveWelcome(db, session.owner, now)
  await changeOwnerSyncState(db, session.owner, { needs_account_refresh: false })
  // Which pairs are active follows from the tier: what a pull under way brings may be of the time before.
  if (session.user !== null && session.user.has_premium_access !== user.has_premium_access) {
    await raiseRevision(db, session.owner, { needs_pull: true })
  }
  return { ...session, user }
}

/**
 * Writes what the server says of a user, if it is still they who use this browser.
 * @param before the session that asked; null: the user has just changed this themselves, so that nothing is newer
 * @param now milliseconds
 */
export async function acceptUser(db: LocalDatabase, before: SessionRow | null, user: User, now: number): Promise<void> {
  await writeTransaction(db, [db.session, db.owners, db.notices], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== user.id) return
    await db.session.put(await withUser(db, session, before ?? session, user, now))
  })
}

/**
 * Writes the tokens that a refresh brought. Returns false, and writes nothing, where the session is another by now.
 * @param before the session whose refresh token was presented
 * @param now milliseconds
 */
export async function acceptTokens(
  db: LocalDatabase,
  before: SessionRow,
  tokens: Tokens,
  user: User | undefined,
  now: number,
): Promise<boolean> {
  return writeTransaction(db, [db.session, db.owners, db.notices], async () => {
    const session = await db.session.get('current')
    if (!isSame(session, before)) return false
    await db.session.put({ ...(await withUser(db, session, before, user, now)), tokens })
    return true
  })
}

/** The server has ended the session. Everything of the user stays until they choose what to do. */
export async function endSession(db: LocalDatabase, before: SessionRow): Promise<boolean> {
  return writeTransaction(db, [db.session], async () => {
    const session = await db.session.get('current')
    if (!isSame(session, before)) return false
    await db.session.put({ ...session, tokens: null })
    return true
  })
}

/**
 * The server takes neither the access token nor the one that a refresh has just brought: nothing is sent for this user
 * before their next login.
 */
export async function pauseUser(db: LocalDatabase, owner: SessionRow['owner'], access: string): Promise<void> {
  await writeTransaction(db, [db.session, db.owners], async () => {
    const session = await db.session.get('current')
    if (session?.owner === owner && session.tokens?.access === access)
      await changeOwnerSyncState(db, owner, { paused: true })
  })
}
