import type * as z from 'zod'
import type { googleCallbackBody } from '../../../src/contract/session'
import {
  type Identified,
  type IdentityProvider,
  openIdProvider,
  ProviderUnavailable,
  SignInRefused,
} from '../../adapters/identity-provider'
import { ApiError } from '../../http/api-error'
import type { ServiceDeps } from '../service-deps'

const GOOGLE = 'https://accounts.google.com'

/** Identity provider: Google, the sandbox's stand-in, or none (null). */
export function chooseIdentityProvider({
  env,
  sandbox,
  clock,
  logger,
}: Pick<ServiceDeps, 'env' | 'clock' | 'logger'> & {
  readonly sandbox?: IdentityProvider | undefined
}): IdentityProvider | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer = GOOGLE } = env
  if (clientId === undefined || clientSecret === undefined) return sandbox ?? null
  const onFailure = (error: Error) => logger?.error({ err: error, issuer }, 'sign-in with Google is not to be had')
  return openIdProvider({ issuer, clientId, clientSecret, clock, onFailure })
}

/**
 * Exchanges a code of Google's for who it is about.
 * @throws ApiError GOOGLE_SIGN_IN_REFUSED, also for an address that Google has not verified; IDENTITY_PROVIDER_UNAVAILABLE
 */
export async function identify(
  { google, env, logger }: Pick<ServiceDeps, 'google' | 'env' | 'logger'>,
  { code, redirect_uri, code_verifier, nonce, iss }: z.output<typeof googleCallbackBody>,
): Promise<Identified> {
  if (google === null) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'This server has no login with Google.')
  if (redirect_uri !== redirectUriOf(env.PUBLIC_URL)) {
    throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'The login was begun at another address of this app.')
  }
  const answer = { code, redirectUri: redirect_uri, codeVerifier: code_verifier, nonce, iss }
  const who = await google.identify(answer).catch((error: unknown) => {
    if (error instanceof SignInRefused) {
      logger?.info({ err: error }, 'sign-in with Google refused')
      throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google did not confirm this login.')
    }
    if (error instanceof ProviderUnavailable) {
      logger?.error({ err: error }, 'sign-in with Google not possible')
      throw new ApiError('IDENTITY_PROVIDER_UNAVAILABLE', 'Google cannot be reached at the moment. Please try again.')
    }
    throw error
  })
  if (!who.emailVerified) throw new ApiError('GOOGLE_SIGN_IN_REFUSED', 'Google has not verified this email address.')
  return who
}

/** The only address to which Google may send anybody back. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/auth/google/callback`
