import type * as z from 'zod'
import type { loginBody, TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { signInOrChallenge, tokensOf } from '../sessions/second-factor'
import type { Visit } from '../sessions/visit'
import { findCredentials, normalEmail, readAccount } from './account'
import { countGuess } from './login-guesses'
import { verifyPassword } from './password'

const refused = () => new ApiError('INVALID_CREDENTIALS', 'Incorrect email or password.')

/**
 * Signs in with a password. Who does not know it is told the same, in the same time, whether there is no such account,
 * another password, or none because the account signs in with Google.
 * @throws TooManyAttempts; ApiError INVALID_CREDENTIALS; with the right password EMAIL_NOT_VERIFIED, and FORBIDDEN
 *   when the account has been disabled, SECOND_FACTOR_REQUIRED when it has passkeys
 */
export async function logIn(
  parts: AppParts,
  { username, password }: z.output<typeof loginBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { database, clock } = parts
  const { orm } = database
  const now = clock()
  const guess = await countGuess(parts, normalEmail(username), visit, now)
  const account = await findCredentials(orm, username)
  const right = await verifyPassword(account?.password_hash ?? null, password)
  if (account === undefined || !right) throw refused()
  await guess.takeBack()
  if (account.email_verified_at === null) {
    throw new ApiError('EMAIL_NOT_VERIFIED', 'Please verify your email address before you log in.')
  }
  const step = await orm.transaction(async (tx) => {
    // A reset that came between verified another password than the one that now holds.
    const held = await readAccount(tx, account.id, 'held')
    if (held?.password_hash !== account.password_hash) throw refused()
    return signInOrChallenge(tx, parts, { userId: account.id, factor: 'password', visit }, now)
  })
  return tokensOf(step)
}
