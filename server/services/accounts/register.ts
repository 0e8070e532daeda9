import type * as z from 'zod'
import type { registerBody } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { requestMail } from '../mail/request-mail'
import { hashOfSecret, newSecret } from '../secrets'
import { refuseCommonPassword } from './common-passwords'
import { newAccount } from './new-account'
import { hashPassword } from './password'

/**
 * Makes an account that nobody can sign in to before its address has been verified, and has the link for that mailed. An
 * address that is registered again keeps its first password: the link verifies it only for somebody who knows that
 * password, or who registered with it.
 * @returns the secret with which the browser that registers can verify the address by the link alone
 * @throws ApiError EMAIL_ALREADY_REGISTERED, COMMON_PASSWORD
 */
export async function register(
  { database, clock }: Pick<AppParts, 'database' | 'clock'>,
  { email, password }: z.output<typeof registerBody>,
): Promise<string> {
  await refuseCommonPassword(password, 'password')
  const passwordHash = await hashPassword(password)
  const secret = newSecret()
  const now = clock()
  const made = await database.orm.transaction(async (tx) => {
    const registrationHash = hashOfSecret(secret)
    const id = await newAccount(tx, { email, passwordHash, registrationHash, googleSubject: null, verifiedAt: null }, now) // prettier-ignore
    if (id !== null) await requestMail(tx, { kind: 'verify-email', email }, now)
    return id !== null
  })
  if (!made) throw new ApiError('EMAIL_ALREADY_REGISTERED', 'Email already registered.')
  return secret
}
