import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Config } from '../../../src/contract/settings'
import type { TokenAnswer } from '../../../src/contract/session'
import type { ErrorBody } from '../../../src/contract/errors'
import type { Market } from '../../../server/services/market/market'
import type { Answered } from './person'
import type { TestApp } from './test-app'

/** The callback's parameters that a browser brings back from the provider, as the app sends them to the server. */
export interface Callback {
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string
  readonly nonce: string
  readonly iss?: string
}

/** One answer to a GET, redirects not followed. */
export type Get = (
  url: string,
  headers: Record<string, string>,
) => Promise<{ status: number; location: string | null; cookies: readonly string[] }>

const overTheNetwork: Get = async (url, headers) => {
  const answer = await fetch(url, { headers, redirect: 'manual' })
  await answer.arrayBuffer()
  return { status: answer.status, location: answer.headers.get('location'), cookies: answer.headers.getSetCookie() }
}

/** Sets out for the provider as the app does, and follows where it is sent until it is back at `redirect_uri`. */
export async function setOut(
  { client_id, authorization_url }: NonNullable<Config['google']>,
  redirect_uri: string,
  get: Get = overTheNetwork,
): Promise<URL & { kept: Omit<Callback, 'code'> }> {
  const kept = { redirect_uri, code_verifier: randomPKCECodeVerifier(), nonce: randomNonce() }
  const url = new URL(authorization_url)
  url.search = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email profile',
    access_type: 'offline',
    prompt: 'consent',
    state: randomState(),
    nonce: kept.nonce,
    code_challenge: await calculatePKCECodeChallenge(kept.code_verifier),
    code_challenge_method: 'S256',
  }).toString()
  const jar = new Map<string, string>()
  let at = url
  for (let steps = 0; !at.href.startsWith(redirect_uri); steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, location, cookies } = await get(at.href, cookie === '' ? {} : { cookie })
    for (const set of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    if (location === null || steps > 10) throw new Error(`The provider answered ${status} at ${at.href}.`)
    at = new URL(location, at)
  }
  return Object.assign(at, { kept })
}

/** A sign-in at the provider from beginning to end. */
export async function comeBack(google: NonNullable<Config['google']>, redirect_uri: string): Promise<Callback> {
  const { searchParams, kept } = await setOut(google, redirect_uri)
  return { code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '', ...kept }
}

export type SignedIn = Answered<TokenAnswer & ErrorBody>

export const callback = (server: TestApp<Market>, body: Callback): Promise<SignedIn> =>
  server.ask('POST', '/auth/google/callback', body, {})
