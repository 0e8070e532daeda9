import type { User } from '../../contract/session'
import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { leaveOwner, leavingTables, noteRevocation } from '../leave-owner'
import type { SessionRow } from '../rows'
import { writeTransaction } from '../with-room'
import { changeBook } from './owner-book'

const WELCOME_BACK = 'Welcome back! Your scheduled account deletion has been cancelled.'

export interface SignedIn {
  readonly user: User
  readonly tokens: NonNullable<SessionRow['tokens']>
  /** Signing in has cancelled the account's deletion. */
  readonly deletionCancelled: boolean
}

/**
 * Brings a sign-in home, in one transaction. The guest is set aside and comes back at logout; what waits of the user
 * goes on. Whoever else is signed in by now, in another tab, is left as their session would have ended by itself.
 * Returns false, and writes nothing, where this browser has no identity yet.
 * @param now milliseconds
 */
export async function acceptSignIn(
  db: LocalDatabase,
  { user, tokens, deletionCancelled }: SignedIn,
  now: number,
): Promise<boolean> {
  return writeTransaction(db, leavingTables(db), async () => {
    const before = await db.session.get('current')
    if (before === undefined) return false
    const owner = user.id as OwnerId
    if (before.owner !== owner) await leaveOwner(db, before, 'keep', now)
    else if (before.tokens !== null) await noteRevocation(db, before.tokens.refresh, now)
    const { anonymous_id } = before
    await db.session.put({ key: 'current', owner, tokens, user, anonymous_id })
    await changeBook(db, owner, { paused: false, pulled_at: null })
    const known = before.owner === owner ? before.user : null
    if (deletionCancelled || isKept(known, user)) await welcomeBack(db, owner, now)
    return true
  })
}

/**
 * Writes what the server says of a user, if it is still they who use this browser.
 * @param now milliseconds
 */
export async function acceptUser(db: LocalDatabase, user: User, now: number): Promise<void> {
  await writeTransaction(db, [db.session, db.notices], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== (user.id as OwnerId)) return
    await db.session.put({ ...session, user })
    if (isKept(session.user, user)) await welcomeBack(db, session.owner, now)
  })
}

/** Its deletion was scheduled by what was known, and is not any more. */
const isKept = (known: User | null, user: User): boolean =>
  known !== null && known.deletion_scheduled_at !== null && user.deletion_scheduled_at === null

const welcomeBack = async (db: LocalDatabase, owner: OwnerId, now: number): Promise<void> => {
  await db.notices.add({ owner, type: 'success', message: WELCOME_BACK, at: now })
}
