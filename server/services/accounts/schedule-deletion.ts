import { eq } from 'drizzle-orm'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { users } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'
import { requestMail } from '../mail/request-mail'
import { inOwnersTurn } from '../owners'
import { requireFreshSignIn } from '../sessions/fresh-sign-in'
import { revokeSessions } from '../sessions/revoke-sessions'
import type { Account } from './account'
import { confirmPassword, incorrectPassword } from './confirm-password'
import { accountOf, ownAccount } from './own-account'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock'>

/**
 * Schedules the deletion of the caller's account, which has a password, and ends all its sessions. The account goes
 * DELETION_GRACE_DAYS later, unless somebody signs in to it before.
 * @returns when it was asked for
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, also where the account has none; TOKEN_EXPIRED when the session
 *   has ended
 */
export async function scheduleDeletion(parts: Parts, caller: Caller, password: string): Promise<Date> {
  const own = await ownAccount(parts.database.orm, caller)
  await confirmPassword(parts, own, password)
  return schedule(parts, caller, async (account) => {
    if (account.password_hash !== own.password_hash) throw incorrectPassword()
  })
}

/**
 * The same for an account that signs in with Google alone.
 * @throws ApiError FORBIDDEN where the account has a password, FRESH_SIGN_IN_REQUIRED, TOKEN_EXPIRED when the session has
 *   ended
 */
export function schedulePasswordlessDeletion(parts: Parts, caller: Caller): Promise<Date> {
  return schedule(parts, caller, async (account, tx, now) => {
    if (account.password_hash !== null) {
      throw new ApiError('FORBIDDEN', 'This account has a password, which confirms its deletion.')
    }
    await requireFreshSignIn(tx, caller, now)
  })
}

type Check = (account: Account, tx: Queryable, now: number) => Promise<void>

function schedule(parts: Parts, caller: Caller, check: Check): Promise<Date> {
  const now = parts.clock()
  return inOwnersTurn(parts.database, caller, now, async (tx, { id }) => {
    const account = await accountOf(tx, id)
    await check(account, tx, now)
    // Whoever signed in since has cancelled it, so that a session that lives finds none; if it did, the first would hold.
    const at = account.deletion_scheduled_at ?? new Date(now)
    await tx.update(users).set({ deletion_scheduled_at: at }).where(eq(users.id, id))
    await revokeSessions(tx, id)
    await requestMail(tx, { kind: 'deletion-scheduled', email: account.email }, now)
    return at
  })
}
