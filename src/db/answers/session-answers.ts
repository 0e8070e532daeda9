import type { User } from '../../contract/session'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { type LocalDatabase, writeMeta } from '../database'
import { leaveOwner, leavingTables, noteRevocation } from '../leave-owner'
import { changeOwnerSyncState, raiseRevision } from '../owner-sync-state'
import { markRegistrationOutdated } from '../push-registration'
import type { SessionRow } from '../rows'
import { writeTransaction } from '../write-transaction'

type Tokens = NonNullable<SessionRow['tokens']>

/** True if no other tab has signed in or out, or refreshed the tokens, since `before` was read. */
const isSame = (session: SessionRow | undefined, before: SessionRow): session is SessionRow =>
  session?.owner === before.owner && session.tokens?.refresh === before.tokens?.refresh

const isOvertaken = (session: SessionRow, before: SessionRow): boolean =>
  JSON.stringify(session.user) !== JSON.stringify(before.user)

/**
 * The session with the server's user. Of two answers that cross, the first stays, since it may be an acceptance of the
 * policies; either may be the newer one, so that the account is loaded anew.
 */
async function withUser(
  db: LocalDatabase,
  session: SessionRow,
  before: SessionRow,
  user: User | undefined,
  now: number,
): Promise<SessionRow> {
  if (user === undefined || user.id !== session.owner) return session
  if (isOvertaken(session, before)) {
    await changeOwnerSyncState(db, session.owner, { needs_account_refresh: true })
    return session
  }
  if (isDeletionCancelled(session.user, user)) await leaveWelcome(db, session.owner, now)
  await changeOwnerSyncState(db, session.owner, { needs_account_refresh: false })
  // The tier decides which pairs are active: a pull under way may bring those of the tier before.
  if (session.user !== null && session.user.has_premium_access !== user.has_premium_access) {
    await raiseRevision(db, session.owner, { needs_pull: true })
  }
  return { ...session, user }
}

/**
 * Writes the server's user, if they still use this browser.
 * @param before the session that asked
 * @param by 'own-change': the user has just changed this themselves, which is written in any case
 * @param now milliseconds
 * @returns false where another answer has come since the request: the account is to be loaded anew
 */
export async function acceptUser(
  db: LocalDatabase,
  before: SessionRow,
  user: User,
  now: number,
  by: 'reading' | 'own-change' = 'reading',
): Promise<boolean> {
  return writeTransaction(db, [db.session, db.owners, db.notices], async () => {
    const session = await db.session.get('current')
    if (session === undefined || session.owner !== user.id) return false
    await db.session.put(await withUser(db, session, by === 'reading' ? before : session, user, now))
    const isKept = !isOvertaken(session, before)
    if (!isKept) await changeOwnerSyncState(db, session.owner, { needs_account_refresh: true })
    return isKept
  })
}

/**
 * Names the attempt to refresh the tokens of a session, before it is sent. All contexts, also after a crash, repeat it by
 * this name: whoever presents the token by another has it from somewhere else.
 * @returns null where the session is another by now
 */
export async function nameAttempt(db: LocalDatabase, before: SessionRow, name: string): Promise<string | null> {
  return writeTransaction(db, [db.session], async () => {
    const session = await db.session.get('current')
    if (!isSame(session, before) || session.tokens === null) return null
    const attempt = session.tokens.attempt ?? name
    await db.session.put({ ...session, tokens: { ...session.tokens, attempt } })
    return attempt
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
  readonly tokens: Tokens
  /** Signing in has cancelled the account's deletion. */
  readonly deletionCancelled: boolean
  /** The server names this browser by this token from now on; absent: as before. */
  readonly deviceToken?: string | undefined
  /** The user has just made the account, and wants the guest's pairs in it. */
  readonly bringsGuest?: boolean
}

/**
 * Stores a sign-in, in one transaction. The guest is set aside and comes back at logout; the user's waiting changes go
 * on. If another tab has signed in or out since the user asked, the sign-in comes too late: its session is noted to be
 * ended, and false is returned. Signing in over another user leaves that user as if their session had ended.
 * @param now milliseconds
 */
export async function acceptSignIn(
  db: LocalDatabase,
  { asked, user, tokens, deletionCancelled, deviceToken, bringsGuest = false }: SignedIn,
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
    const brings = bringsGuest && { brings_guest: true }
    await changeOwnerSyncState(db, owner, { paused: false, needs_pull: true, ...brings })
    await markRegistrationOutdated(db, owner)
    const known = before.owner === owner ? before.user : null
    if (deletionCancelled || isDeletionCancelled(known, user)) await leaveWelcome(db, owner, now)
    return true
  })
}

/** Notes that a sign-in is not used here, so that its session is ended; the server knows this browser from now on. */
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

/** True if the account of `known` was to be deleted and that of `user` is not. */
const isDeletionCancelled = (known: User | null, user: User): boolean =>
  known !== null && known.deletion_scheduled_at !== null && user.deletion_scheduled_at === null

/** @param now milliseconds */
async function leaveWelcome(db: LocalDatabase, owner: OwnerId, now: number): Promise<void> {
  await db.notices.add({ owner, kind: 'success', message: WELCOME_BACK, at: now })
}
