import { and, eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { changePasswordBody } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { mail_tokens } from '../../db/schema/mail'
import { users } from '../../db/schema/users'
import type { Caller } from '../../plugins/identity'
import { requestMail } from '../mail/request-mail'
import { inOwnersTurn } from '../owners'
import { forgetOtherDevices } from '../sessions/known-devices'
import { revokeOtherSessions } from '../sessions/revoke-sessions'
import { refuseCommonPassword } from './common-passwords'
import { confirmPassword, incorrectPassword } from './confirm-password'
import { accountOf, ownAccount } from './own-account'
import { hashPassword } from './password'

/**
 * Sets another password for somebody who is signed in and knows the one that holds. Every other session ends, no other
 * browser is known to the account any more, and links that would set a password are worthless from then on.
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, COMMON_PASSWORD; FORBIDDEN where the account has no password;
 *   TOKEN_EXPIRED when the session has ended
 */
export async function changePassword(
  parts: Pick<AppParts, 'database' | 'env' | 'clock'>,
  caller: Caller,
  { current_password, new_password }: z.output<typeof changePasswordBody>,
): Promise<void> {
  const own = await ownAccount(parts.database.orm, caller)
  if (own.password_hash === null) {
    throw new ApiError('FORBIDDEN', 'This account has no password yet. Set one with the link of a mail.')
  }
  await confirmPassword(parts, own, current_password)
  // After the password: what a new one must be like is said to its owner alone, and the list costs a search.
  await refuseCommonPassword(new_password, 'new_password')
  const password_hash = await hashPassword(new_password)
  const now = parts.clock()
  await inOwnersTurn(parts.database, caller, now, async (tx, { id }) => {
    const account = await accountOf(tx, id)
    // Another change came in between.
    if (account.password_hash !== own.password_hash) throw incorrectPassword()
    await tx.update(users).set({ password_hash }).where(eq(users.id, id))
    if (caller.kind === 'user') {
      await revokeOtherSessions(tx, id, caller.sessionId)
      await forgetOtherDevices(tx, id, caller.sessionId)
    }
    await tx.delete(mail_tokens).where(and(eq(mail_tokens.user_id, id), eq(mail_tokens.purpose, 'reset-password')))
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
  })
}
