import type { ConfirmBody } from '../../../src/contract/passkeys'
import type { PasskeyChallenge } from '../../../src/contract/web-authn'
import { MINUTE } from '../../../src/domain/granularity'
import { ApiError } from '../../http/api-error'
import type { Queryable } from '../../db/open'
import { type Caller, requireUser, withOwnerLock } from '../owners'
import { identify } from '../google/sign-in'
import {
  acceptAssertion,
  assertionOptions,
  passkeysOf,
  refusedPasskey,
  storeChallenge,
  takeChallenge,
} from '../passkeys/passkeys'
import type { ServiceDeps } from '../service-deps'
import { refreshSignIn } from '../sessions/sessions'
import { accountOfUser, ownAccount, type UserAccount } from './account'
import { incorrectPassword } from './change-password'
import { countConfirmation } from './count-confirmation'
import { verifyPassword } from './password'

/** How long ago Google may have asked its user who they are, milliseconds. */
const GOOGLE_SIGN_IN_AGE = 10 * MINUTE

/**
 * Begins a confirmation with a passkey.
 * @throws ApiError NOT_FOUND where the account has none, TOKEN_EXPIRED
 */
export function beginConfirmation(
  { database, env, clock }: Pick<ServiceDeps, 'database' | 'env' | 'clock'>,
  caller: Caller,
): Promise<PasskeyChallenge> {
  const now = clock()
  return withOwnerLock(database, caller, now, async (tx, { id }) => {
    const there = await passkeysOf(tx, id)
    if (there.length === 0) throw new ApiError('NOT_FOUND', 'This account has no passkey.')
    const options = await assertionOptions(env, there)
    const { challenge } = options
    const bound = { purpose: 'confirm', user_id: id, session_id: requireUser(caller).sessionId, challenge } as const
    return { ticket: await storeChallenge(tx, bound, now), options }
  })
}

/**
 * Makes the caller's session a fresh sign-in again. An account with passkeys confirms with one of them: a password alone
 * must not be enough to remove them.
 * @returns until when that counts
 * @throws TooManyAttempts; ApiError INCORRECT_PASSWORD, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED,
 *   GOOGLE_SIGN_IN_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE, TOKEN_EXPIRED
 */
export async function confirmIdentity(deps: ServiceDeps, caller: Caller, proof: ConfirmBody): Promise<Date> {
  const { database, clock } = deps
  const now = clock()
  const account = await ownAccount(database.orm, caller)
  if (account.has_passkeys && proof.method !== 'passkey') {
    throw new ApiError('SECOND_FACTOR_REQUIRED', 'This account has passkeys. Please confirm with one of them.')
  }
  const takeBack = await countConfirmation(deps, requireUser(caller), now)
  const check = await prove(deps, caller, account, proof, now)
  const until = await withOwnerLock(database, caller, now, async (tx, { id }) => {
    await check(tx, await accountOfUser(tx, id))
    return refreshSignIn(tx, caller, now)
  })
  await takeBack()
  return until
}

/** Checks a proof outside a transaction. @returns the rest of the check, for the transaction with the account's row */
async function prove(
  deps: ServiceDeps,
  caller: Caller,
  account: UserAccount,
  proof: ConfirmBody,
  now: number,
): Promise<(tx: Queryable, held: UserAccount) => Promise<void>> {
  switch (proof.method) {
    case 'password': {
      if (!(await verifyPassword(account.password_hash, proof.password))) throw incorrectPassword()
      return async (_tx, { password_hash, has_passkeys }) => {
        // A reset that came between verified another password than the one that now holds.
        if (password_hash !== account.password_hash || has_passkeys) throw incorrectPassword()
      }
    }
    case 'passkey': {
      const asked = await takeChallenge(deps.database.orm, 'confirm', proof.ticket, now)
      if (asked === undefined || asked.session_id !== requireUser(caller).sessionId) {
        throw refusedPasskey('The confirmation took too long. Please try again.')
      }
      const { challenge } = asked
      return (tx, { id: userId }) => acceptAssertion(tx, deps, { userId, challenge, assertion: proof.assertion }, now)
    }
    case 'google': {
      const who = await identify(deps, proof.google)
      if (who.subject !== account.google_subject) {
        throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This is another Google account than the one of this account.')
      }
      // Google names the time only to apps for which that is switched on; the code itself was given out just now.
      if (who.authenticatedAt !== null && now - who.authenticatedAt > GOOGLE_SIGN_IN_AGE) {
        throw new ApiError(
          'GOOGLE_SIGN_IN_REFUSED',
          'Google did not ask who you are. Please log out there and try again.',
        )
      }
      return async (_tx, { has_passkeys }) => {
        if (has_passkeys) throw refusedPasskey()
      }
    }
  }
}
