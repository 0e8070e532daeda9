import type { FastifyBaseLogger } from 'fastify'
import { openIdProvider } from '../../adapters/identity-provider/openid'
import type { IdentityProvider } from '../../adapters/identity-provider/provider'
import type { Env } from '../../env'
import type { Sandbox } from '../sandbox/sandbox'

const GOOGLE = 'https://accounts.google.com'

interface Parts {
  readonly env: Env
  readonly sandbox: Sandbox | null
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger?: FastifyBaseLogger | undefined
}

/** Where people sign in who have no password here: at Google, at the sandbox's stand-in, or nowhere (null). */
export function chooseProvider({ env, sandbox, clock, logger }: Parts): IdentityProvider | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer = GOOGLE } = env
  if (clientId === undefined || clientSecret === undefined) return sandbox?.google?.provider ?? null
  const onFailure = (error: Error) => logger?.error({ err: error, issuer }, 'sign-in with Google is not to be had')
  return openIdProvider({ issuer, clientId, clientSecret, clock, onFailure })
}
