import type * as z from 'zod'
import type { PasskeyChallenge, secondFactorBody } from '../../../src/contract/passkeys'
import type { TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import type { Queryable } from '../../db/open'
import { type Account, readAccount } from '../accounts/account'
import { attemptLimit } from '../accounts/attempt-limits'
import { countAttempt, uncountAttempt } from '../attempts'
import { requestMail } from '../mail/request-mail'
import { acceptAssertion, assertionOptions, passkeysOf, refusedPasskey } from '../passkeys/assertions'
import { findChallenge, storeChallenge, takeChallenge } from '../passkeys/challenges'
import { takeRecoveryCode } from '../passkeys/recovery-codes'
import { hashOfSecret } from '../secrets'
import { signIn } from './sign-in'
import type { Visit } from './visit'

/** Proof that the user has shown before the server asks for a passkey. */
export type FirstFactor = 'password' | 'google'

/** A transaction that throws keeps nothing, so that the challenge it has stored is handed out as a value. */
export type SignInStep =
  | { readonly kind: 'signed-in'; readonly answer: TokenAnswer }
  | { readonly kind: 'second-factor'; readonly challenge: PasskeyChallenge }

/**
 * Signs in somebody who has shown the first factor, or stores a challenge for their passkeys where the account has any.
 * Part of a transaction, which holds the user's row from here on.
 * @param now milliseconds since 1970
 * @throws ApiError as `signIn`
 */
export async function signInOrChallenge(
  tx: Queryable,
  parts: Pick<AppParts, 'env' | 'tokenKey'>,
  { userId, factor, visit }: { readonly userId: string; readonly factor: FirstFactor; readonly visit: Visit },
  now: number,
): Promise<SignInStep> {
  const account = await readAccount(tx, userId, 'held')
  if (account === undefined || !account.is_active || !account.has_passkeys) {
    return { kind: 'signed-in', answer: await signIn(tx, parts, userId, visit, now) }
  }
  const options = await assertionOptions(parts.env, await passkeysOf(tx, userId))
  const { challenge } = options
  const first_factor = firstFactorOf(account, factor)
  const ticket = await storeChallenge(tx, { purpose: 'sign-in', user_id: userId, first_factor, challenge }, now)
  return { kind: 'second-factor', challenge: { ticket, options } }
}

/**
 * The tokens, where there are any yet. The sentence is what clients show that know no passkeys.
 * @throws ApiError SECOND_FACTOR_REQUIRED with the challenge
 */
export function tokensOf(step: SignInStep): TokenAnswer {
  if (step.kind === 'signed-in') return step.answer
  throw new ApiError('SECOND_FACTOR_REQUIRED', 'This account is protected by a passkey. Reload the app to update it, then log in again.', { second_factor: step.challenge }) // prettier-ignore
}

/** The factor as it is stored with the challenge: after a new password or another Google account it is another. */
const firstFactorOf = ({ password_hash, google_subject }: Account, factor: FirstFactor): string =>
  `${factor} ${hashOfSecret((factor === 'password' ? password_hash : google_subject) ?? '')}`

const TOO_LATE = 'This login took too long or was used already. Please log in again.'

/**
 * Ends a sign-in with a passkey or a recovery code. An assertion uses its challenge up, right or wrong; a mistyped
 * recovery code may be typed again.
 * @throws TooManyAttempts; ApiError SECOND_FACTOR_REFUSED, and as `signIn`
 */
export async function passSecondFactor(
  parts: AppParts,
  proof: z.output<typeof secondFactorBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { env, database, clock } = parts
  const { orm } = database
  const now = clock()
  const asked = await findChallenge(orm, 'sign-in', proof.ticket, now)
  if (asked === undefined) throw refusedPasskey(TOO_LATE)
  const limit = attemptLimit('second-factor', env)
  await countAttempt(orm, limit, asked.user_id, now)
  if ('assertion' in proof && (await takeChallenge(orm, 'sign-in', proof.ticket, now)) === undefined) {
    throw refusedPasskey(TOO_LATE)
  }
  const { user_id: userId, challenge } = asked
  const answer = await orm.transaction(async (tx) => {
    const account = await readAccount(tx, userId, 'held')
    const factor = asked.first_factor?.startsWith('google') === true ? 'google' : 'password'
    if (account === undefined || firstFactorOf(account, factor) !== asked.first_factor) throw refusedPasskey(TOO_LATE)
    if ('assertion' in proof) {
      await acceptAssertion(tx, parts, { userId, challenge, assertion: proof.assertion }, now)
    } else {
      if (!(await takeRecoveryCode(tx, userId, proof.recovery_code))) {
        throw refusedPasskey('This recovery code is wrong or has been used.')
      }
      if ((await takeChallenge(tx, 'sign-in', proof.ticket, now)) === undefined) throw refusedPasskey(TOO_LATE)
      await requestMail(tx, { kind: 'recovery-code-used', email: account.email }, now)
    }
    return signIn(tx, parts, userId, visit, now)
  })
  await uncountAttempt(orm, limit, userId, now)
  return answer
}
