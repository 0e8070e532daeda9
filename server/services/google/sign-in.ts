import type * as z from 'zod'
import type { googleCallbackBody, TokenAnswer } from '../../../src/contract/session'
import { type Identified, type IdentityProvider, ProviderUnavailable, SignInRefused } from '../../adapters/identity-provider/provider' // prettier-ignore
import { ApiError } from '../../api-error'
import type { AppParts } from '../../app-parts'
import { signIn } from '../sessions/sign-in'
import type { Visit } from '../sessions/visit'
import { accountOf } from './account-of'
import { redirectUriOf } from './redirect-uri'

type Answer = z.output<typeof googleCallbackBody>

/**
 * Signs in whoever brings a code of Google's. That the answer belongs to a sign-in begun in the same browser, `state`
 * says to the browser and PKCE's verifier and the nonce say to us.
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE; FORBIDDEN for a disabled account
 */
export async function signInWithGoogle(parts: AppParts, answer: Answer, visit: Visit): Promise<TokenAnswer> {
  const { google, env, database, clock } = parts
  if (google === null) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This server has no sign-in with Google.')
  if (answer.redirect_uri !== redirectUriOf(env.PUBLIC_URL)) {
    throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'The sign-in was begun at another address of this app.')
  }
  const who = await ask(google, answer, parts)
  if (!who.emailVerified) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google has not verified this e-mail address.')
  return database.orm.transaction(async (tx) => {
    const now = clock()
    return signIn(tx, parts, await accountOf(tx, who, now), visit, now)
  })
}

async function ask(google: IdentityProvider, answer: Answer, { logger }: AppParts): Promise<Identified> {
  const { code, redirect_uri, code_verifier, nonce, iss } = answer
  try {
    return await google.identify({ code, redirectUri: redirect_uri, codeVerifier: code_verifier, nonce, iss })
  } catch (error) {
    if (error instanceof SignInRefused) {
      logger?.info({ err: error }, 'sign-in with Google refused')
      throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google did not confirm this sign-in.')
    }
    if (error instanceof ProviderUnavailable) {
      logger?.error({ err: error }, 'sign-in with Google not possible')
      throw new ApiError('IDENTITY_PROVIDER_UNAVAILABLE', 'Google cannot be reached at the moment. Please try again.')
    }
    throw error
  }
}
