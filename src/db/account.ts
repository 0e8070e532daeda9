import type { Table } from 'dexie'
import type { User } from '../contract/session'
import type { Policies } from '../contract/settings'
import { anonymousId, isAnonymousOwner, type OwnerId } from '../domain/ids'
import { readOwnerSyncState } from './answers/owner-sync-state'
import type { CommandContext } from './command'
import { type LocalDatabase, readMeta } from './database'
import type { OwnerRow, SessionRow } from './rows'

/** Rights of a user: guests have one checkpoint a pair, and only Premium manages lists of them. */
export type Account = 'guest' | 'free' | 'premium'

export const accountOf = ({ owner, user }: Pick<SessionRow, 'owner' | 'user'>): Account =>
  isAnonymousOwner(owner) ? 'guest' : user?.has_premium_access === true ? 'premium' : 'free'

/**
 * True if requests can be sent as the present owner. A user whose session has ended is served after the next login. A
 * guest always is: guests cannot log in, so `paused`, which earlier versions set for them too, means nothing there.
 */
export const isServed = ({ owner, tokens }: SessionRow, { paused }: OwnerRow): boolean =>
  isAnonymousOwner(owner) || (!paused && tokens !== null)

/** The current user, as the screens around the dashboard need it. */
export interface AccountView {
  readonly owner: OwnerId
  readonly account: Account
  /** Null for guests. */
  readonly user: User | null
  /** The server has ended the session. Everything of the user stays until they log in or go on as a guest. */
  readonly expired: boolean
  /** Null while they have never been loaded. */
  readonly policies: Policies | null
  /** The user has yet to accept the policies in force. */
  readonly mustAccept: boolean
}

/** Reads one moment of the present owner's rows; undefined before there is an identity. */
export const readOfOwner = <T>(
  db: LocalDatabase,
  tables: readonly Table[],
  read: (session: SessionRow) => PromiseLike<T>,
): Promise<T | undefined> =>
  db.transaction('r', [db.session, ...tables], async () => {
    const session = await db.session.get('current')
    return session && read(session)
  })

export function readAccountView(db: LocalDatabase): Promise<AccountView | undefined> {
  return readOfOwner(db, [db.owners, db.meta], async (session) => {
    const { owner, user } = session
    const account = accountOf(session)
    const [stored, syncState] = await Promise.all([readMeta(db, 'policies'), readOwnerSyncState(db, owner)])
    const policies = stored?.policies ?? null
    return {
      owner,
      account,
      user,
      expired: account !== 'guest' && !isServed(session, syncState),
      policies,
      mustAccept: user !== null && !hasAccepted(user, policies),
    }
  })
}

/** Any accepted version counts while the versions in force are not known. */
const hasAccepted = (user: User, policies: Policies | null): boolean =>
  user.accepted_terms_at !== null &&
  user.accepted_privacy_at !== null &&
  (policies === null ||
    (user.accepted_terms_version === policies.terms.version &&
      user.accepted_privacy_version === policies.privacy.version))

/**
 * The identity of this browser; a guest's is made where there is none. Several tabs may ask at once: one of them makes it.
 * @param randomBytes at least 24 bytes from a cryptographic source
 */
export async function ensureIdentity({ db, now }: CommandContext, randomBytes: Uint8Array): Promise<OwnerId> {
  return db.transaction('rw', db.session, async () => {
    const session = await db.session.get('current')
    if (session !== undefined) return session.owner
    const owner = anonymousId(now(), randomBytes)
    await db.session.add({ key: 'current', owner, tokens: null, user: null, anonymous_id: owner })
    return owner
  })
}
