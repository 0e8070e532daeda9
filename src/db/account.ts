import { isAnonymousOwner } from '../domain/ids'
import type { SessionRow } from './rows'

/** Rights of a user: guests have one checkpoint a pair, and only Premium manages lists of them. */
export type Account = 'guest' | 'free' | 'premium'

export const accountOf = ({ owner, user }: Pick<SessionRow, 'owner' | 'user'>): Account =>
  isAnonymousOwner(owner) ? 'guest' : user?.has_premium_access === true ? 'premium' : 'free'
