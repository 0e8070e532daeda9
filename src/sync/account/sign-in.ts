import type { TokenAnswer, User } from '../../contract/session'
import type { AccountRequest, AccountResult } from '../../db/account-request'
import { acceptSignIn, declineSignIn } from '../../db/answers/sign-in'
import { takeSignIn } from '../../db/answers/take-sign-in'
import type { GoogleErrand } from '../../db/rows'
import { forgetRegistration } from '../../db/registrations'
import type { Answer } from '../answer'
import type { EngineEnv } from '../env'
import { type Call, send } from '../request'
import { deviceHeaders } from './device-token'
import { asOwner } from './as-owner'
import { versionsForSignIn } from './policies'
import { resultOf } from './result'
import { reloadUser } from './user'

const NO_IDENTITY = 'User session not found. Please refresh and try again.'
const TOO_LATE = 'Somebody else has logged in or out in this browser meanwhile. Please try again.'
const NOT_BEGUN_HERE = 'This login was not begun in this browser, or has been used already.'
const LINKED = 'Google can log in to your account from now on.'
const CONFIRMED = 'Thank you. Now repeat what you were about to do.'

type Asked<K extends AccountRequest['kind']> = Extract<AccountRequest, { kind: K }>

export function signInWithPassword(env: EngineEnv, { email, password }: Asked<'log-in'>): Promise<AccountResult> {
  return signIn(env, { route: 'logIn', body: { username: email, password } })
}

/** A `state` that this browser did not begin is somebody else's sign-in (RFC 6749, 10.12): nothing is sent for it. */
export async function signInWithGoogle(env: EngineEnv, { code, state, iss }: Asked<'google'>): Promise<AccountResult> {
  const begun = await takeSignIn(env.db, state)
  if (begun === undefined) {
    return { ok: false, status: 401, error_code: 'GOOGLE_SIGN_IN_REFUSED', message: NOT_BEGUN_HERE }
  }
  const { redirect_uri, verifier, nonce, errand } = begun
  const body = { code, redirect_uri, code_verifier: verifier, nonce, ...(iss !== null && { iss }) }
  return errand === undefined ? signIn(env, { route: 'googleCallback', body }) : run(env, errand, body)
}

/** Does what a signed-in user went to Google for. */
async function run(env: EngineEnv, { kind, owner, back_to }: GoogleErrand, body: object): Promise<AccountResult> {
  const call: Call = kind === 'link' ? { route: 'linkGoogle', body } : { route: 'confirm', body: { method: 'google', google: body } } // prettier-ignore
  const { answer } = await asOwner(env, owner, call)
  const result = resultOf(answer)
  if (!result.ok) return { ...result, back_to }
  if (kind === 'link') await reloadUser(env)
  return { ok: true, message: kind === 'link' ? LINKED : CONFIRMED, back_to }
}

/** Ends a login that needs a passkey. */
export function passSecondFactor(env: EngineEnv, { ticket, proof }: Asked<'second-factor'>): Promise<AccountResult> {
  return signIn(env, { route: 'secondFactor', body: { ticket, ...proof } })
}

async function signIn(env: EngineEnv, call: Call): Promise<AccountResult> {
  const asked = (await env.db.session.get('current'))?.owner
  if (asked === undefined) return { ok: false, status: 0, error_code: null, message: NO_IDENTITY }
  const answer = await send(env, call, await deviceHeaders(env))
  if (answer.kind !== 'ok') return resultOf(answer)
  const signedIn = answer.value as TokenAnswer
  const tokens = { access: signedIn.access_token, refresh: signedIn.refresh_token }
  const deviceToken = signedIn.device_token
  // The app shows as soon as the sign-in is home: whether the policies are to be accepted first is known by then.
  const [user, withoutPolicies] = await Promise.all([userOf(env, signedIn), versionsForSignIn(env)])
  if (user.kind !== 'ok' || withoutPolicies !== null) {
    await declineSignIn(env.db, { tokens, deviceToken })
    return user.kind === 'ok' ? withoutPolicies! : resultOf(user)
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
  return accepted ? { ok: true, message: null } : { ok: false, status: 0, error_code: null, message: TOO_LATE }
}

/** The user may stand in the answer itself; else the new token asks for it. */
async function userOf(env: EngineEnv, { user, access_token }: TokenAnswer): Promise<Answer> {
  if (user !== undefined) return { kind: 'ok', value: user, etag: null }
  return send(env, { route: 'me' }, { Authorization: `Bearer ${access_token}` })
}
