import { config } from '../../../src/contract/settings'
import { loadEnv } from '../../../server/env'
import { chooseIdentityProvider } from '../../../server/services/google/sign-in'
import { type ProviderUser, startIdentityProvider } from '../../support/identity-provider'
import { callback, comeBack } from './google-browser'
import { forFile, withServer } from './for-file'

export const PUBLIC_URL = 'http://localhost:8080'
export const REDIRECT = `${PUBLIC_URL}/auth/google/callback`
/** Another address of the app that the provider knows. */
export const ELSEWHERE = `${PUBLIC_URL}/login`

/** A server whose users sign in at an identity provider. @param more further environment variables */
export function googleScene(more: Readonly<Record<string, string>> = {}) {
  const provider = forFile(
    () => startIdentityProvider([REDIRECT, ELSEWHERE]),
    (made) => made.stop(),
  )
  const server = withServer(() => {
    const env = { ...provider.variables, PUBLIC_URL, ...more }
    return { env, deps: { google: chooseIdentityProvider({ env: loadEnv(env), clock: Date.now }) } }
  })
  const google = async () => {
    const { google } = config.parse((await server.app.inject('/api/v1/config')).json())
    if (google === null) throw new Error('There is no sign-in with Google.')
    return google
  }
  /** A user's way to the provider and back. */
  const goAndComeBack = async (user: ProviderUser, redirect = REDIRECT) => {
    provider.signsIn(user)
    return comeBack(await google(), redirect)
  }
  const signIn = async (user: ProviderUser) => callback(server, await goAndComeBack(user))
  return { provider, server, google, goAndComeBack, signIn }
}
