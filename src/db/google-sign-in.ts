import type { Config } from '../contract/settings'
import type { CommandContext } from './command'
import { type LocalDatabase, readMeta, writeMeta } from './database'
import type { SignIn } from './sign-in-rows'
import { changeMeta } from './write-transaction'

/** Path of the app to which the provider sends the user back. */
const CALLBACK = '/auth/google/callback'
/** Asks the provider to say when it last asked its user who they are (OpenID Connect Core 1.0, 5.5). */
const AUTH_TIME = JSON.stringify({ id_token: { auth_time: { essential: true } } })
/** Sign-ins that were begun last and can be ended: several tabs may be under way, and a clock that is set ends none. */
const MAX_SIGN_INS = 10

/**
 * Begins a sign-in with Google (OpenID Connect's code flow with PKCE, RFC 7636) and returns the address that the browser
 * goes to. This browser keeps the secrets that the way back is checked against under the address's `state`.
 * @param origin of the app, such as `https://example.org`
 * @throws where the browser has no Web Crypto: Google does not redirect to such an address either
 */
export async function beginGoogleSignIn(
  { db, now, uuid }: CommandContext,
  { client_id, authorization_url }: NonNullable<Config['google']>,
  origin: string,
  { errand, account }: Pick<SignIn, 'errand' | 'account'> = {},
): Promise<string> {
  const [state, nonce, verifier] = [uuid(), uuid(), `${uuid()}${uuid()}`]
  const redirect_uri = `${origin}${CALLBACK}`
  const code_challenge = await challengeOf(verifier)
  await changeMeta(db, 'sign_ins', (begun = {}) => {
    const lasting = Object.entries(begun).slice(1 - MAX_SIGN_INS)
    const why = { ...(errand !== undefined && { errand }), ...(account !== undefined && { account }) }
    const signIn = { verifier, nonce, redirect_uri, begun_at: now(), ...why }
    return { ...Object.fromEntries(lasting), [state]: signIn }
  })
  const url = new URL(authorization_url)
  const parameters = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email profile',
    access_type: 'offline',
    prompt: 'consent',
    state,
    nonce,
    code_challenge,
    code_challenge_method: 'S256',
    ...(errand?.kind === 'confirm' && { max_age: '0', claims: AUTH_TIME }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** base64url(SHA-256(verifier)), without padding. */
async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Takes out the sign-in of `state`, so that one tab ends it, once. Undefined: none was begun here. */
export async function takeSignIn(db: LocalDatabase, state: string): Promise<SignIn | undefined> {
  return db.transaction('rw', db.meta, async () => {
    const begun = new Map(Object.entries((await readMeta(db, 'sign_ins')) ?? {}))
    const signIn = begun.get(state)
    if (begun.delete(state)) await writeMeta(db, 'sign_ins', Object.fromEntries(begun))
    return signIn
  })
}
