import type { User } from '../../contract/session'
import type { LocalDatabase } from '../database'
import type { SessionRow } from '../rows'
import { writeTransaction } from '../write-transaction'
import { changeOwnerSyncState, raiseRevision } from './owner-sync-state'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { leaveOwner, leavingTables, noteRevocation } from '../leave-owner'
import { writeMeta } from '../queries/meta'
import { markRegistrationOutdated } from '../push-registration'

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

interface SignedIn {
  /** Owner of the session when the user asked for it. */
  readonly asked: OwnerId
  readonly user: User
  readonly tokens: NonNullable<SessionRow['tokens']>
  /** Signing in has cancelled the account's deletion. */
  readonly deletionCancelled: boolean
  /** The server names this browser by this token from now on; absent: as before. */
  readonly deviceToken?: string | undefined
}

/**
 * Brings a sign-in home, in one transaction. The guest is set aside and comes back at logout; what waits of the user
 * goes on. Where somebody else has signed in or out since it was asked for, it comes too late: its session is noted to be ended,
 * and false is returned. Somebody who signs in over another user leaves that one as if their session had ended.
 * @param now milliseconds
 */
export async function acceptSignIn(
  db: LocalDatabase,
  { asked, user, tokens, deletionCancelled, deviceToken }: SignedIn,
  now: number,
): Promise<boolean> {
  return writeTransaction(db, leavingTables(db), async () => {
    const before = await db.session.get('current')
    if (before?.owner !== asked) {
      await declineSignIn(db, { tokens, deviceToken })
      return false
    }
    if (deviceToken !== undefined) await writeMeta(db, 'device_token', deviceToken)
    const owner = user.id as OwnerId
    // Answers to the guest's requests under way reach no screen: the engine pulls their list when they are back.
    if (isAnonymousOwner(before.owner)) await changeOwnerSyncState(db, before.owner, { needs_pull: true })
    if (before.owner !== owner) await leaveOwner(db, before, 'keep')
    else if (before.tokens !== null) await noteRevocation(db, before.tokens.refresh)
    const { anonymous_id } = before
    await db.session.put({ key: 'current', owner, tokens, user, anonymous_id })
    await changeOwnerSyncState(db, owner, { paused: false, needs_pull: true })
    await markRegistrationOutdated(db, owner)
    const known = before.owner === owner ? before.user : null
    if (deletionCancelled || isDeletionCancelled(known, user)) await leaveWelcome(db, owner, now)
    return true
  })
}

/** Notes that a sign-in is not used here: its session is to be ended. The server knows this browser from now on all the same. */
export async function declineSignIn(
  db: LocalDatabase,
  { tokens, deviceToken }: Pick<SignedIn, 'tokens' | 'deviceToken'>,
): Promise<void> {
  await writeTransaction(db, [db.meta], async () => {
    if (deviceToken !== undefined) await writeMeta(db, 'device_token', deviceToken)
    await noteRevocation(db, tokens.refresh)
  })
}

const WELCOME_BACK = 'Welcome back! Your scheduled account deletion has been cancelled.'

/** By what was known of a user their account was to be deleted, and it is not any more. */
const isDeletionCancelled = (known: User | null, user: User): boolean =>
  known !== null && known.deletion_scheduled_at !== null && user.deletion_scheduled_at === null

/** @param now milliseconds */
async function leaveWelcome(db: LocalDatabase, owner: OwnerId, now: number): Promise<void> {
  await db.notices.add({ owner, kind: 'success', message: WELCOME_BACK, at: now })
}
