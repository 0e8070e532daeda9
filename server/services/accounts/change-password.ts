import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { changePasswordBody, resetPasswordBody } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import { passkeys } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import { isSuperuserNow } from '../admin/superusers'
import { type Caller, requireUser, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import { tellOfRemoval } from '../passkeys/tell-of-removal'
import { commitChange } from '../revisions'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { rememberDevice } from '../sessions/devices'
import { requireSecondFactor } from '../sessions/sessions'
import { accountOfUser, normalEmail, ownAccount, type UserAccount } from './account'
import { countConfirmation } from './count-confirmation'
import { checkLink, endVerificationLinks, followLink } from './email-links'
import { forgetGuesses } from './log-in'
import { refuseCommonPassword } from './common-password'
import { hashPassword, verifyPassword } from './password'
import { closeWaysIn } from './ways-in'

/**
 * Sets another password for somebody who is signed in and knows the one that holds. Every other session ends, no other
 * browser is known to the account any more, and links that would set a password are worthless from then on.
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, COMMON_PASSWORD; FORBIDDEN where the account has no password;
 *   FRESH_SIGN_IN_REQUIRED where it has passkeys; TOKEN_EXPIRED when the session has ended
 */
export async function changePassword(
  deps: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  caller: Caller,
  { current_password, new_password }: z.output<typeof changePasswordBody>,
): Promise<void> {
  const own = await ownAccount(deps.database.orm, caller)
  if (own.password_hash === null) {
    throw new ApiError('FORBIDDEN', 'This account has no password yet. Set one with the link of a mail.')
  }
  // Before the password, which could else be guessed here.
  await requireSecondFactor(deps.database.orm, caller, own, deps.clock())
  await confirmPassword(own, current_password, await countConfirmation(deps, requireUser(caller), deps.clock()))
  // After the password: only the owner learns how a new one must be, and the list costs a search.
  await refuseCommonPassword(new_password, { email: own.email, field: 'new_password' })
  const password_hash = await hashPassword(new_password)
  const now = deps.clock()
  await withOwnerLock(deps.database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    // Another change came in between.
    if (account.password_hash !== own.password_hash) throw incorrectPassword()
    await requireSecondFactor(tx, caller, account, now)
    await tx.update(users).set({ password_hash }).where(eq(users.id, id))
    await closeWaysIn(tx, id, { kind: 'new-password', session: requireUser(caller).sessionId }, now)
    await recordSecurityEvent(tx, { userId: id, kind: 'password-changed' }, now)
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
  })
}

/** The refusal of a wrong password, also where an account has none. */
export const incorrectPassword = (): ApiError =>
  new ApiError('INCORRECT_PASSWORD', 'The entered password is incorrect. Please try again.')

/**
 * Checks the password of an account that the caller has reached by a session or by the link of a mail.
 * @param takeBack the try has been counted as a wrong one; this takes it back
 * @throws ApiError INCORRECT_PASSWORD
 */
export async function confirmPassword(
  { password_hash }: Pick<UserAccount, 'password_hash'>,
  password: string,
  takeBack: () => Promise<void>,
): Promise<void> {
  if (!(await verifyPassword(password_hash, password))) throw incorrectPassword()
  await takeBack()
}

/** State of an account after a reset. */
export interface Reset {
  /** The browser keeps this token from now on, in the place of the one that it had. */
  readonly deviceToken: string | null
  readonly passkeysRemoved: number
  readonly passkeysLeft: number
}

/**
 * Sets a new password by the link of a mail, and gives the account back to its owner: nothing that was added while somebody
 * else could have been in opens it any more. The reader of the mail has the mailbox, so the address is verified as well;
 * all links that are still under way are worthless from then on. This browser is known to the account from then on, and no
 * other is: its owner gets in there, however many guess elsewhere.
 * @throws ApiError INVALID_LINK; COMMON_PASSWORD, after which the link still works
 */
export async function resetByLink(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  { token, new_password }: z.output<typeof resetPasswordBody>,
): Promise<Reset> {
  const { orm } = database
  // A guessed link must not cost a hash, and no transaction may wait for one.
  const { email } = await checkLink(orm, 'reset-password', token, clock())
  await refuseCommonPassword(new_password, { email, field: 'new_password' })
  const password_hash = await hashPassword(new_password)
  const now = clock()
  const { value } = await commitChange(database, now, async (tx) => {
    const account = await followLink(tx, 'reset-password', token, now)
    const removed = await closeWaysIn(tx, account.id, { kind: 'reset', account }, now)
    await tx
      .update(users)
      .set({
        password_hash,
        password_proven: true,
        owner_proven: true,
        email_verified_at: account.email_verified_at ?? new Date(now),
        is_superuser: await isSuperuserNow(tx, env, { ...account, owner_proven: true }, now),
      })
      .where(eq(users.id, account.id))
    await endVerificationLinks(tx, account.id, now)
    await forgetGuesses(tx, normalEmail(account.email))
    // Another token than before: a thief may have copied this browser's.
    const device = await rememberDevice(tx, account.id, null, now)
    await recordSecurityEvent(tx, { userId: account.id, kind: 'password-reset' }, now)
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
    await tellOfRemoval(tx, account, removed, now)
    if ((await accountOfUser(tx, account.id)).google_subject !== account.google_subject) {
      await recordSecurityEvent(tx, { userId: account.id, kind: 'google-unlinked' }, now)
      await requestMail(tx, { kind: 'google-unlinked', email: account.email }, now)
    }
    const passkeysLeft = await tx.$count(passkeys, eq(passkeys.user_id, account.id))
    return { deviceToken: device.token, passkeysRemoved: removed.length, passkeysLeft }
  })
  return value
}
