import type { User } from '../contract/session'
import type { Policies } from '../contract/settings'
import { isAnonymousOwner, type OwnerId } from '../domain/ids'
import type { OwnerRow, SessionRow } from './rows'

/** Rights of a user: guests have one checkpoint a pair, and only Premium manages lists of them. */
export type Account = 'guest' | 'free' | 'premium'

export const accountOf = ({ owner, user }: Pick<SessionRow, 'owner' | 'user'>): Account =>
  isAnonymousOwner(owner) ? 'guest' : user?.has_premium_access === true ? 'premium' : 'free'

/**
 * True if requests can be sent as the present owner. A user whose session has ended is served after the next login. A
 * guest always is: guests cannot log in, so `paused`, which earlier versions set for them too, means nothing there.
 */
export const isServed = ({ owner, tokens }: SessionRow, { paused }: Pick<OwnerRow, 'paused'>): boolean =>
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

interface AccountRows {
  readonly session: SessionRow
  /** Undefined for guests, and while nothing of the owner has been synced yet. */
  readonly syncState: OwnerRow | undefined
  readonly policies: Policies | null
}

export function accountViewOf({ session, syncState, policies }: AccountRows): AccountView {
  const { owner, user } = session
  const account = accountOf(session)
  return {
    owner,
    account,
    user,
    expired: account !== 'guest' && !isServed(session, { paused: syncState?.paused ?? false }),
    policies,
    mustAccept: user !== null && !hasAccepted(user, policies),
  }
}

/** Any accepted version counts while the versions in force are not known. */
const hasAccepted = (user: User, policies: Policies | null): boolean =>
  user.accepted_terms_at !== null &&
  user.accepted_privacy_at !== null &&
  (policies === null ||
    (user.accepted_terms_version === policies.terms.version &&
      user.accepted_privacy_version === policies.privacy.version))
