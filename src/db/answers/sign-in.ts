import type { User } from '../../contract/session'
import { isAnonymousOwner, type OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'
import { leaveOwner, leavingTables, noteRevocation } from '../leave-owner'
import { writeMeta } from '../queries/meta'
import { markRegistrationOutdated } from '../push-registration'
import type { SessionRow } from '../rows'
import { writeTransaction } from '../with-room'
import { changeOwnerSyncState } from './owner-sync-state'
import { isDeletionCancelled, leaveWelcome } from './welcome-back'

export interface SignedIn {
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
