import { and, eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { resetPasswordBody } from '../../../src/contract/session'
import type { AppParts } from '../../app-parts'
import { mail_tokens } from '../../db/schema/mail'
import { users } from '../../db/schema/users'
import { requestMail } from '../mail/request-mail'
import { forgetDevices, rememberDevice } from '../sessions/known-devices'
import { revokeSessions } from '../sessions/revoke-sessions'
import type { Visit } from '../sessions/visit'
import { normalEmail } from './account'
import { isSuperuserNow } from './administrators'
import { refuseCommonPassword } from './common-passwords'
import { checkLink, endVerificationLinks, followLink } from './follow-link'
import { forgetGuesses } from './login-guesses'
import { hashPassword } from './password'

/**
 * Sets a new password by the link of a mail, and ends every session. Who could read the mail has shown that the address
 * is theirs, so that it is verified as well; all links that are still under way are worthless from then on.
 * The browser is known to the account from then on, and no other is: its owner gets in there whoever guesses elsewhere.
 * @returns the token of the browser; null: it has one already
 * @throws ApiError INVALID_LINK; COMMON_PASSWORD, after which the link still works
 */
export async function resetPassword(
  { database, env, clock }: Pick<AppParts, 'database' | 'env' | 'clock'>,
  { token, new_password }: z.output<typeof resetPasswordBody>,
  { deviceToken }: Pick<Visit, 'deviceToken'>,
): Promise<string | null> {
  const { orm } = database
  // Whoever tries links at random is not to cost a hash each, and no transaction is to wait for one.
  await checkLink(orm, 'reset-password', token, clock())
  await refuseCommonPassword(new_password, 'new_password')
  const password_hash = await hashPassword(new_password)
  const now = clock()
  return orm.transaction(async (tx) => {
    const account = await followLink(tx, 'reset-password', token, now)
    const isUnproven = account.google_subject !== null && !account.password_proven
    await tx
      .update(users)
      .set({
        password_hash,
        password_proven: true,
        registration_hash: null,
        // A Google account that perhaps never had this mailbox does not stay: it would open what is from now on its reader's.
        ...(isUnproven && { google_subject: null }),
        email_verified_at: account.email_verified_at ?? new Date(now),
        is_superuser: await isSuperuserNow(tx, env, { ...account, password_proven: true }, now),
      })
      .where(eq(users.id, account.id))
    await revokeSessions(tx, account.id)
    await tx.delete(mail_tokens).where(and(eq(mail_tokens.user_id, account.id), eq(mail_tokens.purpose, 'reset-password'))) // prettier-ignore
    await endVerificationLinks(tx, account.id, now)
    await forgetGuesses(tx, normalEmail(account.email))
    await forgetDevices(tx, account.id)
    const device = await rememberDevice(tx, account.id, deviceToken, now)
    await requestMail(tx, { kind: 'password-changed', email: account.email }, now)
    if (isUnproven) await requestMail(tx, { kind: 'google-unlinked', email: account.email }, now)
    return device.token
  })
}
