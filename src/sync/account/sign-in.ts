import {
  DEVICE_TOKEN_HEADER,
  REFRESH_ATTEMPT_HEADER,
  type RegisterAnswer,
  type ResetPasswordAnswer,
  type TokenAnswer,
  type User,
  type VerifyEmailAnswer,
} from '../../contract/session'
import { acceptSignIn, declineSignIn } from '../../db/answers/session-answers'
import { takeSignIn } from '../../db/google-sign-in'
import type { CallResult, CallValue } from '../../db/call'
import { readMeta } from '../../db/database'
import { forgetRegistration, keepRegistration, registrationSecrets } from '../../db/registrations'
import type { GoogleErrand } from '../../db/rows'
import { isStorageFull } from '../../db/quota-eviction'
import { storeMeta } from '../../db/write-transaction'
import { failed, failureOf, messageResult, type PerformCall } from '../call-result'
import type { EngineEnv } from '../env'
import { type Answer, type ApiRequest, asPresent, send } from '../request'
import { reloadUser, versionsForSignIn } from './user'

/** Registers an address, and keeps the secret with which this browser can verify it by the link alone. */
export const register: PerformCall<'register'> = async (env, body) => {
  const answer = await send(env, { route: 'register', body }, {})
  if (answer.kind === 'ok') {
    const { registration_secret } = answer.value as RegisterAnswer
    if (registration_secret !== undefined) await keep(env, body.email, registration_secret)
  }
  return messageResult(answer)
}

/** A full storage is no failure: without the secret, the mail's link asks for the password. */
async function keep({ db, now }: EngineEnv, email: string, secret: string): Promise<void> {
  try {
    await keepRegistration(db, email, secret, now())
  } catch (error) {
    if (!isStorageFull(error)) throw error
  }
}

/** Follows the link of a verification mail, with the secrets of this browser's registrations. */
export const verifyEmail: PerformCall<'verifyEmail'> = async (env, input) => {
  const secrets = await registrationSecrets(env.db)
  const body = { ...input, ...(secrets.length > 0 && { registration_secrets: secrets }) }
  const answer = await send(env, { route: 'verifyEmail', body }, {})
  if (answer.kind === 'ok') {
    const { email } = answer.value as VerifyEmailAnswer
    if (email !== undefined) await forgetRegistration(env.db, email)
  }
  return messageResult(answer)
}

/** Names this browser. An account that knows the browser counts wrong passwords from elsewhere apart. */
async function deviceHeaders({ db }: EngineEnv): Promise<Readonly<Record<string, string>>> {
  const token = await readMeta(db, 'device_token')
  return token === undefined ? {} : { [DEVICE_TOKEN_HEADER]: token }
}

/** Sets a new password by the link of a mail; the account knows this browser from then on. */
export const resetPassword: PerformCall<'resetPassword'> = async (env, body) => {
  const answer = await send(env, { route: 'resetPassword', body }, {})
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

/** A `state` that this browser did not begin is somebody else's sign-in (RFC 6749, 10.12): nothing is sent for it. */
export const signInWithGoogle: PerformCall<'googleCallback'> = async (env, { code, state, iss }) => {
  const begun = await takeSignIn(env.db, state)
  if (begun === undefined) return { ...failed(401, NOT_BEGUN_HERE), error_code: 'GOOGLE_SIGN_IN_REFUSED' }
  const { redirect_uri, verifier, nonce, errand } = begun
  const body = { code, redirect_uri, code_verifier: verifier, nonce, ...(iss !== null && { iss }) }
  return errand === undefined ? signIn(env, { route: 'googleCallback', body }) : run(env, errand, body)
}

/** Links Google or confirms the session, for which a signed-in user went to Google. */
async function run(
  env: EngineEnv,
  { kind, owner, back_to }: GoogleErrand,
  body: object,
): Promise<CallResult<CallValue<'googleCallback'>>> {
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
  const headers = { ...(await deviceHeaders(env)), [REFRESH_ATTEMPT_HEADER]: env.token() }
  const answer = await send(env, request, headers)
  if (answer.kind !== 'ok') return failureOf(answer)
  const signedIn = answer.value as TokenAnswer
  const tokens = { access: signedIn.access_token, refresh: signedIn.refresh_token }
  const deviceToken = signedIn.device_token
  // The app shows as soon as the sign-in is stored, and must know by then whether policies are to be accepted first.
  const [loaded, withoutPolicies] = await Promise.all([userOf(env, signedIn), versionsForSignIn(env)])
  if (loaded.kind !== 'ok' || withoutPolicies !== null) {
    await declineSignIn(env.db, { tokens, deviceToken })
    return loaded.kind === 'ok' ? withoutPolicies! : failureOf(loaded)
  }
  const user = loaded.value as User
  const deletionCancelled = signedIn.deletion_cancelled === true
  const accepted = await acceptSignIn(env.db, { asked, user, tokens, deletionCancelled, deviceToken }, env.now())
  if (!accepted) return failed(0, TOO_LATE)
  await forgetRegistration(env.db, user.email)
  return { ok: true, value: null }
}

/** The user may stand in the answer itself; else the new token asks for it. */
const userOf = async (env: EngineEnv, { user, access_token }: TokenAnswer): Promise<Answer> =>
  user === undefined
    ? send(env, { route: 'me' }, { Authorization: `Bearer ${access_token}` })
    : { kind: 'ok', value: user, etag: null }
