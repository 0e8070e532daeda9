import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { secondFactorBody } from '../../../src/contract/passkeys'
import type { PasskeyChallenge } from '../../../src/contract/web-authn'
import type { TokenAnswer } from '../../../src/contract/session'
import { ApiError } from '../../http/api-error'
import type { Database } from '../../db/open'
import { refresh_tokens, sessions } from '../../db/schema/sessions'
import { users } from '../../db/schema/users'
import { readAccount, type UserAccount } from '../accounts/account'
import { isSuperuserNow } from '../admin/superusers'
import { attemptAt, countAttempt, uncountAttempt } from '../attempts'
import { requestMail } from '../mail/queued-mail'
import {
  acceptAssertion,
  assertionOptions,
  findChallenge,
  passkeysOf,
  refusedPasskey,
  storeChallenge,
  takeChallenge,
  takeRecoveryCode,
} from '../passkeys/passkeys'
import { type ChangeTx, commitChange } from '../revisions'
import { hashOfSecret, newSecret } from '../secrets'
import { recordSecurityEvent } from '../security-events'
import type { ServiceDeps } from '../service-deps'
import { findKnownDevice, rememberDevice, type Visit } from './devices'
import { REFRESH_LIFETIME, tokensFor } from './refresh-token'

/** The last proof that a user has shown. */
type SignInProof = FirstFactor | 'passkey' | 'recovery-code'

/**
 * Begins a session of somebody who has just shown who they are. It cancels a scheduled
 * deletion, makes the browser known to the account, and tells its owner by mail of one that was not. Part of a transaction, which holds the user's row from here on.
 * @throws ApiError FORBIDDEN when an operator has disabled the account, INVALID_CREDENTIALS when it is gone
 */
export async function startSession(
  tx: ChangeTx,
  { env, tokenKey }: Pick<ServiceDeps, 'env' | 'tokenKey'>,
  { userId, how, visit }: { readonly userId: string; readonly how: SignInProof; readonly visit: Visit },
  now: number,
): Promise<TokenAnswer> {
  const account = await readAccount(tx, userId, 'held')
  if (account === undefined) throw new ApiError('INVALID_CREDENTIALS', 'This account does not exist any more.')
  if (!account.is_active) throw new ApiError('FORBIDDEN', 'This account has been disabled.')
  const changed = {
    deletion_scheduled_at: null,
    last_login_at: new Date(now),
    is_superuser: await isSuperuserNow(tx, env, account, now),
  }
  await tx.update(users).set(changed).where(eq(users.id, userId))
  const device = await rememberDevice(tx, userId, visit.deviceToken, now)
  if (device.isNew && account.last_login_at !== null) {
    await requestMail(tx, { kind: 'new-device', email: account.email, device: visit.deviceLabel }, now)
  }
  const [session] = await tx
    .insert(sessions)
    .values({
      user_id: userId,
      created_at: new Date(now),
      authenticated_at: new Date(now),
      device_label: visit.deviceLabel,
      device_id: device.id,
      names_attempts: visit.attempt !== null,
    })
    .returning()
  if (session === undefined) throw new Error('The session was not inserted')
  tx.raise(userId, 'account')
  if (account.deletion_scheduled_at !== null) await recordSecurityEvent(tx, { userId, kind: 'deletion-cancelled' }, now)
  await recordSecurityEvent(tx, { userId, kind: `signed-in-${how}` }, now)
  const refreshToken = newSecret()
  await tx.insert(refresh_tokens).values({
    token_hash: hashOfSecret(refreshToken),
    session_id: session.id,
    user_id: userId,
    expires_at: new Date(now + REFRESH_LIFETIME),
  })
  const tokens = await tokensFor({ env, tokenKey, now }, { ...account, ...changed }, session, refreshToken)
  const answer = device.token === null ? tokens : { ...tokens, device_token: device.token }
  return account.deletion_scheduled_at === null ? answer : { ...answer, deletion_cancelled: true }
}

/** Proof that the user has shown before the server asks for a passkey. */
export type FirstFactor = 'password' | 'google'

/** A transaction that throws keeps nothing, so that the challenge it has stored is handed out as a value. */
export type SignInStep =
  | { readonly kind: 'signed-in'; readonly answer: TokenAnswer }
  | { readonly kind: 'second-factor'; readonly challenge: PasskeyChallenge }

/**
 * Signs in somebody who has shown the first factor, or stores a challenge for their passkeys where the account has any.
 * Part of a transaction, which holds the user's row from here on.
 * @throws ApiError as `startSession`
 */
export async function signInOrChallenge(
  tx: ChangeTx,
  deps: Pick<ServiceDeps, 'env' | 'tokenKey'>,
  { userId, factor, visit }: { readonly userId: string; readonly factor: FirstFactor; readonly visit: Visit },
  now: number,
): Promise<SignInStep> {
  const account = await readAccount(tx, userId, 'held')
  if (account === undefined || !account.is_active || !account.has_passkeys) {
    return { kind: 'signed-in', answer: await startSession(tx, deps, { userId, how: factor, visit }, now) }
  }
  const options = await assertionOptions(deps.env, await passkeysOf(tx, userId))
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
  throw new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'This account is protected by a passkey. Reload the app to update it, then log in again.',
    { second_factor: step.challenge },
  )
}

/** The factor as it is stored with the challenge: after a new password or another Google account it is another. */
const firstFactorOf = ({ password_hash, google_subject }: UserAccount, factor: FirstFactor): string =>
  `${factor} ${hashOfSecret((factor === 'password' ? password_hash : google_subject) ?? '')}`

const TOO_LATE = 'This login took too long or was used already. Please log in again.'

/**
 * Ends a sign-in with a passkey or a recovery code. An assertion uses its challenge up, right or wrong; a mistyped
 * recovery code may be typed again.
 * @throws TooManyAttempts; ApiError SECOND_FACTOR_REFUSED, and as `startSession`
 */
export async function passSecondFactor(
  deps: Pick<ServiceDeps, 'env' | 'database' | 'tokenKey' | 'clock'>,
  proof: z.output<typeof secondFactorBody>,
  visit: Visit,
): Promise<TokenAnswer> {
  const { env, database, clock } = deps
  const { orm } = database
  const now = clock()
  const asked = await findChallenge(orm, 'sign-in', proof.ticket, now)
  if (asked === undefined) throw refusedPasskey(TOO_LATE)
  // A stranger who knows the password uses up the tries of no device that its owner has signed in on.
  const device = await findKnownDevice(orm, { id: asked.user_id }, visit.deviceToken)
  const attempt =
    device === null
      ? attemptAt('second-factor', { user: asked.user_id }, env)
      : attemptAt('second-factor-device', { device }, env)
  await countAttempt(orm, attempt, now)
  if ('assertion' in proof && (await takeChallenge(orm, 'sign-in', proof.ticket, now)) === undefined) {
    throw refusedPasskey(TOO_LATE)
  }
  const { user_id: userId, challenge } = asked
  const { value: answer } = await commitChange(database, now, async (tx) => {
    const account = await readAccount(tx, userId, 'held')
    const factor = asked.first_factor?.startsWith('google') === true ? 'google' : 'password'
    if (account === undefined || firstFactorOf(account, factor) !== asked.first_factor) throw refusedPasskey(TOO_LATE)
    if ('assertion' in proof) {
      await acceptAssertion(tx, deps, { userId, challenge, assertion: proof.assertion }, now)
    } else {
      if (!(await takeRecoveryCode(tx, userId, proof.recovery_code))) {
        throw refusedPasskey('This recovery code is wrong or has been used.')
      }
      if ((await takeChallenge(tx, 'sign-in', proof.ticket, now)) === undefined) throw refusedPasskey(TOO_LATE)
      await requestMail(tx, { kind: 'recovery-code-used', email: account.email }, now)
    }
    const how = 'assertion' in proof ? 'passkey' : 'recovery-code'
    return startSession(tx, deps, { userId, how, visit }, now)
  }).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'SECOND_FACTOR_REFUSED') await noteRefusal(database, userId, now)
    throw error
  })
  await uncountAttempt(orm, attempt, now)
  return answer
}

/** A stranger has the account's first factor and not the second: its user is to see that. */
async function noteRefusal(database: Database, userId: string, now: number): Promise<void> {
  await commitChange(database, now, async (tx) => {
    const account = await readAccount(tx, userId, 'held')
    if (account !== undefined) await recordSecurityEvent(tx, { userId, kind: 'second-factor-failed' }, now)
  })
}
