import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { countAttempt, uncountAttempt } from '../attempts'
import type { Account } from './account'
import { attemptLimit } from './attempt-limits'
import { verifyPassword } from './password'

/** The refusal of a wrong password, also where an account has none. */
export const incorrectPassword = (): ApiError =>
  new ApiError('INCORRECT_PASSWORD', 'The entered password is incorrect. Please try again.')

/**
 * Has somebody show that they know the password of an account that they have reached in another way: by a session, or by
 * the link of a mail. Wrong ones are counted for the account.
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD
 */
export async function confirmPassword(
  { database, env, clock }: Pick<AppParts, 'database' | 'env' | 'clock'>,
  { id, password_hash }: Pick<Account, 'id' | 'password_hash'>,
  password: string,
): Promise<void> {
  const limit = attemptLimit('confirm-password', env)
  const now = clock()
  await countAttempt(database.orm, limit, id, now)
  if (!(await verifyPassword(password_hash, password))) throw incorrectPassword()
  await uncountAttempt(database.orm, limit, id, now)
}
