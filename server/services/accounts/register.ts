import type * as z from 'zod'
import type { registerBody } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { requestMail } from '../mail/request-mail'
import { newAccount } from './new-account'
import { hashPassword } from './password'

/**
 * Makes an account that nobody can sign in to before its address has been verified, and has the link for that mailed.
 * @throws ApiError EMAIL_ALREADY_REGISTERED
 */
export async function register(
  { database, clock }: Pick<AppParts, 'database' | 'clock'>,
  { email, password }: z.output<typeof registerBody>,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const now = clock()
  await database.orm.transaction(async (tx) => {
    const made = await newAccount(tx, { email, passwordHash, googleSubject: null, verifiedAt: null }, now)
    if (made === null) throw new ApiError('EMAIL_ALREADY_REGISTERED', 'Email already registered.')
    await requestMail(tx, { kind: 'verify-email', email }, now)
  })
}
