import { eq } from 'drizzle-orm'
import type { User } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { users } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'
import { findOwner, inOwnersTurn } from '../owners'
import { type Account, accountAnswer, readAccount } from './account'

/**
 * The row of the caller's account.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function ownAccount(db: Queryable, caller: Caller): Promise<Account> {
  const owner = await findOwner(db, caller)
  return accountOf(db, owner?.id)
}

/**
 * The caller's account, as its owner is told of it.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function readOwnAccount({ database }: Pick<AppParts, 'database'>, caller: Caller): Promise<User> {
  return accountAnswer(await ownAccount(database.orm, caller))
}

/**
 * Notes that the caller accepts the policies now in force; when a version was first accepted stays.
 * @throws ApiError TOKEN_EXPIRED when the session has ended
 */
export async function acceptPolicies(
  { database, policies, clock }: Pick<AppParts, 'database' | 'policies' | 'clock'>,
  caller: Caller,
): Promise<User> {
  const now = clock()
  const at = new Date(now)
  const { terms, privacy } = policies.current
  return inOwnersTurn(database, caller, now, async (tx, { id }) => {
    const account = await accountOf(tx, id)
    const accepted = {
      ...(account.accepted_terms_version !== terms.version && {
        accepted_terms_version: terms.version,
        accepted_terms_at: at,
      }),
      ...(account.accepted_privacy_version !== privacy.version && {
        accepted_privacy_version: privacy.version,
        accepted_privacy_at: at,
      }),
    }
    if (Object.keys(accepted).length > 0) await tx.update(users).set(accepted).where(eq(users.id, id))
    return accountAnswer({ ...account, ...accepted })
  })
}

/** Of an owner whose session lived a moment ago: it is as ended if the account has gone meanwhile. */
export async function accountOf(db: Queryable, id: string | undefined): Promise<Account> {
  const account = id === undefined ? undefined : await readAccount(db, id)
  if (account === undefined) throw new ApiError('TOKEN_EXPIRED', 'The session of this access token has ended.')
  return account
}
