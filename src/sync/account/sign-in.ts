import {
  DEVICE_TOKEN_HEADER,
  REFRESH_ATTEMPT_HEADER,
  REGISTRATION_SECRET_HEADER,
  type RegisterAnswer,
  type ResetPasswordAnswer,
  type TokenAnswer,
  type User,
  type VerifyEmailAnswer,
} from '../../contract/session'
import type { RegisterByPasskeyAnswer } from '../../contract/passkeys'
import { acceptSignIn, declineSignIn } from '../../db/answers/session-answers'
import { takeSignIn } from '../../db/google-sign-in'
import type { CallResult, CallValue } from '../../db/call'
import type { GoogleErrand, NewAccount } from '../../db/sign-in-rows'
import { readMeta } from '../../db/database'
import { forgetRegistration, keepRegistration, registrationSecret, registrationSecrets } from '../../db/registrations'
import { isStorageFull } from '../../db/quota-eviction'
import { storeMeta } from '../../db/write-transaction'
import { failed, failureOf, messageResult, type PerformCall } from '../call-result'
import type { EngineEnv } from '../env'
import { type Answer, type ApiRequest, asPresent, send } from '../request'
import { reloadUser, versionsForSignIn } from './user'

/**
 * Makes an account and signs in to it: this browser keeps the secret with which it may do so before the address is
 * verified. Without the secret, which an earlier server does not send, the link of the mail comes first.
 */
export const register: PerformCall<'register'> = async (env, { account, ...body }) => {
  const answer = await send(env, { route: 'register', body }, {})
  if (answer.kind !== 'ok') return failureOf(answer)
  const { message, registration_secret } = answer.value as RegisterAnswer
  if (registration_secret === undefined) return { ok: true, value: { message, signed_in: false } }
  await keep(env, body.email, registration_secret)
  const logIn = { route: 'logIn', body: { username: body.email, password: body.password } } as const
  const { ok } = await signIn(env, logIn, { secret: registration_secret, account })
  return { ok: true, value: { message, signed_in: ok } }
}

/** Logs in with a password. */
export const signInWithPassword: PerformCall<'logIn'> = async (env, body) =>
  signIn(env, { route: 'logIn', body }, { secret: await registrationSecret(env.db, body.username) })

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
    if ((await env.db.session.get('current'))?.user?.email === email) await reloadUser(env)
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
  const { redirect_uri, verifier, nonce, errand, account } = begun
  const body = { code, redirect_uri, code_verifier: verifier, nonce, ...(iss !== null && { iss }) }
  return errand === undefined ? signIn(env, { route: 'googleCallback', body }, { account }) : run(env, errand, body)
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

interface Beside {
  /** Of this browser's registration of the address. */
  readonly secret?: string | undefined
  /** The user makes the account, unless there is one already. */
  readonly account?: NewAccount | undefined
}

/** Logs in, or passes the second step of a login; the tokens go to the local database and no further. */
export async function signIn(
  env: EngineEnv,
  request: ApiRequest,
  { secret, account }: Beside = {},
): Promise<CallResult<null>> {
  const asked = (await env.db.session.get('current'))?.owner
  if (asked === undefined) return failed(0, NO_IDENTITY)
  const headers = {
    ...(await deviceHeaders(env)),
    [REFRESH_ATTEMPT_HEADER]: env.token(),
    ...(secret !== undefined && { [REGISTRATION_SECRET_HEADER]: secret }),
  }
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
  const found = loaded.value as User
  const made = isUnused(found) ? account : undefined
  const user = made === undefined ? found : await acceptAtOnce(env, found, tokens.access, made)
  const deletionCancelled = signedIn.deletion_cancelled === true
  const signed = { asked, user, tokens, deletionCancelled, deviceToken, bringsGuest: made?.brings === true }
  const { registration_secret } = answer.value as Partial<RegisterByPasskeyAnswer>
  if (registration_secret !== undefined) await keep(env, user.email, registration_secret)
  if (!(await acceptSignIn(env.db, signed, env.now()))) return failed(0, TOO_LATE)
  if (user.email_verified !== false) await forgetRegistration(env.db, user.email)
  return { ok: true, value: null }
}

/** True if no user has gone on to the app with this account yet. */
const isUnused = (user: User): boolean => user.accepted_terms_at === null && user.accepted_privacy_at === null

/** The user with the acceptance that was part of making the account; where it could not be noted, they are asked again. */
async function acceptAtOnce(env: EngineEnv, user: User, access: string, { accepted }: NewAccount): Promise<User> {
  const policies = (await readMeta(env.db, 'policies'))?.policies
  const isInForce = policies?.terms.version === accepted?.terms && policies?.privacy.version === accepted?.privacy
  if (accepted === null || !isInForce) return user
  const request = { route: 'acceptPolicies', body: { terms_accepted: true, privacy_accepted: true } } as const
  const answer = await send(env, request, { Authorization: `Bearer ${access}` })
  return answer.kind === 'ok' ? (answer.value as User) : user
}

/** The user may stand in the answer itself; else the new token asks for it. */
const userOf = async (env: EngineEnv, { user, access_token }: TokenAnswer): Promise<Answer> =>
  user === undefined
    ? send(env, { route: 'me' }, { Authorization: `Bearer ${access_token}` })
    : { kind: 'ok', value: user, etag: null }
