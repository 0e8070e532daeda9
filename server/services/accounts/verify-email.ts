import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { verifyEmailBody } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { users } from '../../db/schema/users'
import { hashOfSecret } from '../secrets'
import type { Account } from './account'
import { isSuperuserNow } from './administrators'
import { confirmPassword } from './confirm-password'
import { checkLink, endVerificationLinks, followLink, isVerifiedLink } from './follow-link'

type Parts = Pick<AppParts, 'database' | 'env' | 'clock'>
type Verification = z.output<typeof verifyEmailBody>

const passwordRequired = ({ email }: Account) =>
  new ApiError(
    'PASSWORD_REQUIRED',
    'Enter the password that you chose when you registered. If you did not register, or do not know it, set another by mail.',
    { email },
  )

/**
 * Takes the link of a verification mail, from somebody who shows as well that they chose the account's password: by a
 * secret that the registration was answered with, or by the password itself. The link alone verifies nothing, since a
 * stranger may have registered the address and wait for its owner to open the mail. The account's other links of this
 * kind are worthless from then on.
 * @returns the verified address; null: it was verified before, by this link or by another
 * @throws TooManyAttempts; ApiError INVALID_LINK, PASSWORD_REQUIRED, INCORRECT_PASSWORD; after the last two the link
 *   still works
 */
export async function verifyEmail(parts: Parts, verification: Verification): Promise<string | null> {
  try {
    return await useLink(parts, verification)
  } catch (error) {
    const isSpent = error instanceof ApiError && error.code === 'INVALID_LINK'
    if (isSpent && (await isVerifiedLink(parts.database.orm, verification.token, parts.clock()))) return null
    throw error
  }
}

async function useLink(parts: Parts, { token, registration_secrets = [], password }: Verification): Promise<string> {
  const { database, env, clock } = parts
  const now = clock()
  const account = await checkLink(database.orm, 'verify-email', token, now)
  if (!registration_secrets.some((secret) => hashOfSecret(secret) === account.registration_hash)) {
    if (password === undefined) throw passwordRequired(account)
    await confirmPassword(parts, account, password)
  }
  await database.orm.transaction(async (tx) => {
    const held = await followLink(tx, 'verify-email', token, now)
    // A reset or Google may have come in between: the password that was shown is not the one that now counts.
    if (held.password_hash !== account.password_hash) throw passwordRequired(held)
    const proven = { ...held, password_proven: true }
    await tx
      .update(users)
      .set({
        email_verified_at: held.email_verified_at ?? new Date(now),
        password_proven: true,
        registration_hash: null,
        is_superuser: await isSuperuserNow(tx, env, proven, now),
      })
      .where(eq(users.id, held.id))
    await endVerificationLinks(tx, held.id, now)
  })
  return account.email
}
