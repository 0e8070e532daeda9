import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { changePasswordBody, resetPasswordBody } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import { users } from '../../db/schema/users'
import { isSuperuserNow } from '../admin/superusers'
import { attemptAt, countAttempt, uncountAttempt } from '../attempts'
import { type Caller, withOwnerLock } from '../owners'
import { requestMail } from '../mail/queued-mail'
import { commitChange } from '../revisions'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { forgetDevices, rememberDevice, type Visit } from '../sessions/devices'
import { revokeOtherSessions, revokeSessions } from '../sessions/sessions'
import { accountOfUser, normalEmail, ownAccount, type UserAccount } from './account'
import { checkLink, endVerificationLinks, followLink, removeResetLinks } from './email-links'
import { forgetGuesses } from './log-in'
import { refuseCommonPassword } from './common-password'
import { hashPassword, verifyPassword } from './password'

/**
 * Sets another password for somebody who is signed in and knows the one that holds. Every other session ends, no other
 * browser is known to the account any more, and links that would set a password are worthless from then on.
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, COMMON_PASSWORD; FORBIDDEN where the account has no password;
 *   TOKEN_EXPIRED when the session has ended
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
  await confirmPassword(deps, own, current_password)
  // After the password: only the owner learns how a new one must be, and the list costs a search.
  await refuseCommonPassword(new_password, 'new_password')
  const password_hash = await hashPassword(new_password)
  const now = deps.clock()
  await withOwnerLock(deps.database, caller, now, async (tx, { id }) => {
    const account = await accountOfUser(tx, id)
    // Another change came in between.
    if (account.password_hash !== own.password_hash) throw incorrectPassword()
    await tx.update(users).set({ password_hash }).where(eq(users.id, id))
    tx.raise(id, 'account')
    if (caller.kind === 'user') await revokeOtherSessions(tx, id, caller.sessionId)
    await removeResetLinks(tx, id)
    await recordSecurityEvent(tx, { userId: id, kind: 'password-changed' }, now)
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
  })
}

/** The refusal of a wrong password, also where an account has none. */
export const incorrectPassword = (): ApiError =>
  new ApiError('INCORRECT_PASSWORD', 'The entered password is incorrect. Please try again.')

/**
 * Checks the password of an account that the caller has reached by a session or by the link of a mail. Wrong ones are
 * counted for the account.
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD
 */
export async function confirmPassword(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  { id, password_hash }: Pick<UserAccount, 'id' | 'password_hash'>,
  password: string,
): Promise<void> {
  const attempt = attemptAt('confirm-password', { user: id }, env)
  const now = clock()
  await countAttempt(database.orm, attempt, now)
  if (!(await verifyPassword(password_hash, password))) throw incorrectPassword()
  await uncountAttempt(database.orm, attempt, now)
}

/**
 * Sets a new password by the link of a mail, and ends every session. The reader of the mail has the mailbox, so the
 * address is verified as well; all links that are still under way are worthless from then on. This browser is known to the
 * account from then on, and no other is: its owner gets in there, however many guess elsewhere.
 * @returns the token of the browser; null: it has one already
 * @throws ApiError INVALID_LINK; COMMON_PASSWORD, after which the link still works
 */
export async function resetByLink(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  { token, new_password }: z.output<typeof resetPasswordBody>,
  { deviceToken }: Pick<Visit, 'deviceToken'>,
): Promise<string | null> {
  const { orm } = database
  // A guessed link must not cost a hash, and no transaction may wait for one.
  await checkLink(orm, 'reset-password', token, clock())
  await refuseCommonPassword(new_password, 'new_password')
  const password_hash = await hashPassword(new_password)
  const now = clock()
  const { value } = await commitChange(database, now, async (tx) => {
    const account = await followLink(tx, 'reset-password', token, now)
    const isUnproven = account.google_subject !== null && !account.owner_proven
    await tx
      .update(users)
      .set({
        password_hash,
        password_proven: true,
        owner_proven: true,
        registration_hash: null,
        // A Google account that perhaps never had this mailbox does not stay: it would open what is from now on its reader's.
        ...(isUnproven && { google_subject: null }),
        email_verified_at: account.email_verified_at ?? new Date(now),
        is_superuser: await isSuperuserNow(tx, env, { ...account, owner_proven: true }, now),
      })
      .where(eq(users.id, account.id))
    await revokeSessions(tx, account.id)
    await removeResetLinks(tx, account.id)
    await endVerificationLinks(tx, account.id, now)
    await forgetGuesses(tx, normalEmail(account.email))
    await forgetDevices(tx, account.id)
    const device = await rememberDevice(tx, account.id, deviceToken, now)
    await recordSecurityEvent(tx, { userId: account.id, kind: 'password-reset' }, now)
    if (isUnproven) await recordSecurityEvent(tx, { userId: account.id, kind: 'google-unlinked' }, now)
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
    if (isUnproven) await requestMail(tx, { kind: 'google-unlinked', email: account.email }, now)
    return device.token
  })
  return value
}
