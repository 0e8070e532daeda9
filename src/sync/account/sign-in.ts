import {
  DEVICE_TOKEN_HEADER,
  type RegisterAnswer,
  type ResetPasswordAnswer,
  type TokenAnswer,
  type User,
  type VerifyEmailAnswer,
} from '../../contract/session'
import { acceptSignIn, declineSignIn } from '../../db/answers/session-answers'
import { takeSignIn } from '../../db/google-sign-in'
import type { CallInput, CallResult, CallValue } from '../../db/call'
import { readMeta } from '../../db/queries/meta'
import { forgetRegistration, keepRegistration, registrationSecrets } from '../../db/registrations'
import type { GoogleErrand } from '../../db/rows'
import { isStorageFull } from '../../db/quota-eviction'
import { storeMeta } from '../../db/write-transaction'
import { failed, failureOf, messageResult } from '../call-result'
import type { EngineEnv } from '../env'
import { type Answer, type ApiRequest, send } from '../request'
import { asPresent } from '../send-as'
import { versionsForSignIn } from './policies'
import { reloadUser } from './user'

/** Registers an address, and keeps the secret with which this browser can verify it by the link alone. */
export async function register(
  env: EngineEnv,
  body: CallInput<'register'>,
): Promise<CallResult<CallValue<'register'>>> {
  const answer = await send(env, { route: 'register', body }, {})
  if (answer.kind === 'ok') {
    const { registration_secret } = answer.value as RegisterAnswer
    if (registration_secret !== undefined) await keep(env, body.email, registration_secret)
  }
  return messageResult(answer)
}

/** Without the secret the account is there all the same: the link then asks for the password. */
async function keep({ db, now }: EngineEnv, email: string, secret: string): Promise<void> {
  try {
    await keepRegistration(db, email, secret, now())
  } catch (error) {
    if (!isStorageFull(error)) throw error
  }
}

/** Follows the link of a verification mail, with what this browser knows of its registrations. */
export async function verifyEmail(
  env: EngineEnv,
  input: CallInput<'verifyEmail'>,
): Promise<CallResult<CallValue<'verifyEmail'>>> {
  const secrets = await registrationSecrets(env.db, env.now())
  const body = { ...input, ...(secrets.length > 0 && { registration_secrets: secrets }) }
  const answer = await send(env, { route: 'verifyEmail', body }, {})
  if (answer.kind === 'ok') {
    const { email } = answer.value as VerifyEmailAnswer
    if (email !== undefined) await forgetRegistration(env.db, email)
  }
  return messageResult(answer)
}

/** Says which browser this is. An account that knows it counts wrong passwords from elsewhere apart. */
async function deviceHeaders({ db }: EngineEnv): Promise<Readonly<Record<string, string>>> {
  const token = await readMeta(db, 'device_token')
  return token === undefined ? {} : { [DEVICE_TOKEN_HEADER]: token }
}

/** Sets a new password by the link of a mail; the account knows this browser from then on. */
export async function resetPassword(
  env: EngineEnv,
  body: CallInput<'resetPassword'>,
): Promise<CallResult<CallValue<'resetPassword'>>> {
  const answer = await send(env, { route: 'resetPassword', body }, await deviceHeaders(env))
  if (answer.kind === 'ok') {
    const { device_token } = answer.value as ResetPasswordAnswer
    if (device_token !== undefined) await storeMeta(env.db, 'device_token', device_token)
  }
  return messageResult(answer)
}

const NO_IDENTITY = 'User session not found. Please refresh and try again.'
const TOO_LATE = 'Somebody else has logged in or out in this browser meanwhile. Please try again.'
const NOT_BEGUN_HERE = 'This login was not begun in this browser, or has been used already.'
const LINKED = 'Google can log in to your account from now on.'
const CONFIRMED = 'Thank you. Now repeat what you were about to do.'

type GoogleResult = CallResult<CallValue<'googleCallback'>>

/** A `state` that this browser did not begin is somebody else's sign-in (RFC 6749, 10.12): nothing is sent for it. */
export async function signInWithGoogle(
  env: EngineEnv,
  { code, state, iss }: CallInput<'googleCallback'>,
): Promise<GoogleResult> {
  const begun = await takeSignIn(env.db, state)
  if (begun === undefined) {
    return { ok: false, status: 401, error_code: 'GOOGLE_SIGN_IN_REFUSED', message: NOT_BEGUN_HERE }
  }
  const { redirect_uri, verifier, nonce, errand } = begun
  const body = { code, redirect_uri, code_verifier: verifier, nonce, ...(iss !== null && { iss }) }
  return errand === undefined ? signIn(env, { route: 'googleCallback', body }) : run(env, errand, body)
}

/** Does what a signed-in user went to Google for. */
async function run(env: EngineEnv, { kind, owner, back_to }: GoogleErrand, body: object): Promise<GoogleResult> {
  const request: ApiRequest =
    kind === 'link' ? { route: 'linkGoogle', body } : { route: 'confirm', body: { method: 'google', google: body } }
  const { answer } = await asPresent(env, request, owner)
  if (answer.kind !== 'ok') return { ...failureOf(answer), back_to }
  if (kind === 'link') await reloadUser(env)
  return { ok: true, value: { message: kind === 'link' ? LINKED : CONFIRMED, back_to } }
}

/** Logs in, or passes the second step of a login; the tokens go to the local database and no further. */
export async function signIn(env: EngineEnv, request: ApiRequest): Promise<CallResult<null>> {
  const asked = (await env.db.session.get('current'))?.owner
  if (asked === undefined) return failed(0, NO_IDENTITY)
  const answer = await send(env, request, await deviceHeaders(env))
  if (answer.kind !== 'ok') return failureOf(answer)
  const signedIn = answer.value as TokenAnswer
  const tokens = { access: signedIn.access_token, refresh: signedIn.refresh_token }
  const deviceToken = signedIn.device_token
  // The app shows as soon as the sign-in is home: whether the policies are to be accepted first is known by then.
  const [user, withoutPolicies] = await Promise.all([userOf(env, signedIn), versionsForSignIn(env)])
  if (user.kind !== 'ok' || withoutPolicies !== null) {
    await declineSignIn(env.db, { tokens, deviceToken })
    return user.kind === 'ok' ? withoutPolicies! : failureOf(user)
  }
  const accepted = await acceptSignIn(
    env.db,
    {
      asked,
      user: user.value as User,
      tokens,
      deletionCancelled: signedIn.deletion_cancelled === true,
      deviceToken,
    },
    env.now(),
  )
  if (accepted) await forgetRegistration(env.db, (user.value as User).email)
  return accepted ? { ok: true, value: null } : failed(0, TOO_LATE)
}

/** The user may stand in the answer itself; else the new token asks for it. */
async function userOf(env: EngineEnv, { user, access_token }: TokenAnswer): Promise<Answer> {
  if (user !== undefined) return { kind: 'ok', value: user, etag: null }
  return send(env, { route: 'me' }, { Authorization: `Bearer ${access_token}` })
}
