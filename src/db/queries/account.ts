import type { Policies } from '../../contract/settings'
import type { User } from '../../contract/session'
import type { OwnerId } from '../../domain/ids'
import { type Account, accountOf } from '../account'
import { readOwnerSyncState } from '../answers/owner-sync-state'
import type { LocalDatabase } from '../database'
import { isServed } from '../served'
import { readMeta } from './meta'

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

/** Undefined before there is an identity. */
export async function readAccountView(db: LocalDatabase): Promise<AccountView | undefined> {
  return db.transaction('r', db.session, db.owners, db.meta, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return undefined
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

/** Versions that are not known are not held against anybody. */
function hasAccepted(user: User, policies: Policies | null): boolean {
  if (user.accepted_terms_at === null || user.accepted_privacy_at === null) return false
  if (policies === null) return true
  return (
    user.accepted_terms_version === policies.terms.version && user.accepted_privacy_version === policies.privacy.version
  )
}
