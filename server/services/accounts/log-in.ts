import type * as z from 'zod'
import type { loginBody, TokenAnswer } from '../../../src/contract/session'
import { ApiError, TooManyAttempts } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { attemptAt, countAttempt, forgetAttempts, uncountAttempt } from '../attempts'
import { requestMail } from '../mail/queued-mail'
import { commitChange } from '../revisions'
import type { ServiceDeps } from '../service-deps'
import { findKnownDevice, type Visit } from '../sessions/devices'
import { signInOrChallenge, tokensOf } from '../sessions/sign-in'
import { hashOfSecret } from '../secrets'
import { findCredentials, normalEmail, readAccount } from './account'
import { verifyPassword } from './password'

const refused = () => new ApiError('INVALID_CREDENTIALS', 'Incorrect email or password.')

/**
 * Signs in with a password. A caller with a wrong one gets the same answer in the same time, whether there is no such
 * account, another password, or none because the account signs in with Google.
 * Before the address is verified, the browser that registered it signs in and no other (decision 0111).
 * @throws TooManyAttempts; ApiError INVALID_CREDENTIALS; with the right password EMAIL_NOT_VERIFIED, and FORBIDDEN
 *   when the account has been disabled, SECOND_FACTOR_REQUIRED when it has passkeys
 */
export async function logIn(
  deps: Pick<ServiceDeps, 'env' | 'database' | 'tokenKey' | 'clock'>,
  { username, password }: z.output<typeof loginBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { database, clock } = deps
  const { orm } = database
  const now = clock()
  const takeBack = await countGuess(deps, normalEmail(username), visit, now)
  const account = await findCredentials(orm, username)
  const right = await verifyPassword(account?.password_hash ?? null, password)
  if (account === undefined || !right) throw refused()
  await takeBack()
  if (account.email_verified_at === null && !isRegistrant(account, visit)) {
    throw new ApiError('EMAIL_NOT_VERIFIED', 'Please verify your email address before you log in.')
  }
  const { value: step } = await commitChange(database, now, async (tx) => {
    // A reset that came between verified another password than the one that now holds.
    const held = await readAccount(tx, account.id, 'held')
    if (held?.password_hash !== account.password_hash) throw refused()
    return signInOrChallenge(tx, deps, { userId: account.id, factor: 'password', visit }, now)
  })
  return tokensOf(step)
}

const isRegistrant = (account: { readonly registration_hash: string | null }, { registrationSecret }: Visit): boolean =>
  registrationSecret !== null && hashOfSecret(registrationSecret) === account.registration_hash

/** Wrong passwords are counted by these, for the account. A known device has counters of its own besides. */
const OF_ACCOUNT = ['log-in', 'log-in-hour', 'log-in-known'] as const

/**
 * Counts a login as a wrong one before its password is looked at. Logins from devices that the account knows are counted
 * apart from those of strangers, so that no stranger locks an owner out of a device in use; together they stay below 100
 * wrong passwords an hour (decision 0112). The owner gets a mail when a limit is reached.
 * @param email as it is counted, see `normalEmail`
 * @returns takes the count back: the password was right
 * @throws TooManyAttempts
 */
async function countGuess(
  { env, database: { orm } }: Pick<ServiceDeps, 'env' | 'database'>,
  email: string,
  { deviceToken, deviceLabel }: Visit,
  now: number,
): Promise<() => Promise<void>> {
  const device = await findKnownDevice(orm, { email }, deviceToken)
  const guesses =
    device === null
      ? [attemptAt('log-in-hour', { email }, env), attemptAt('log-in', { email }, env)]
      : [
          attemptAt('log-in-known', { email }, env),
          attemptAt('log-in-device-hour', { device }, env),
          attemptAt('log-in-device', { device }, env),
        ]
  try {
    // All of them or none: what one limit refuses is not to use up another.
    await orm.transaction(async (tx) => {
      for (const guess of guesses) await countAttempt(tx, guess, now)
    })
  } catch (error) {
    if (error instanceof TooManyAttempts) await orm.transaction((tx) => tellOwner(tx, email, deviceLabel, now))
    throw error
  }
  return async () => {
    for (const guess of guesses) await uncountAttempt(orm, guess, now)
  }
}

/** Lets an account begin anew, once its owner has shown who they are in another way. */
export async function forgetGuesses(tx: Queryable, email: string): Promise<void> {
  for (const what of OF_ACCOUNT) await forgetAttempts(tx, what, { email })
}

/** The account is looked up when the mail goes out, so that the time of the refusal does not show if there is one. */
async function tellOwner(tx: Queryable, email: string, device: string | null, now: number): Promise<void> {
  try {
    await countAttempt(tx, attemptAt('locked-out-mail', { email }, { RATE_LIMIT_FACTOR: 1 }), now)
  } catch (error) {
    if (error instanceof TooManyAttempts) return
    throw error
  }
  await requestMail(tx, { kind: 'locked-out', email, device }, now)
}
