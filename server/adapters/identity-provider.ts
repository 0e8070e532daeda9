import * as openid from 'openid-client'
import * as z from 'zod'

/** The provider's claims about a user who has signed in there. */
export interface Identified {
  /** The provider's own name for them, the same for ever. */
  readonly subject: string
  readonly email: string
  readonly emailVerified: boolean
  /** The Workspace domain that the account belongs to (`hd`). */
  readonly hostedDomain: string | null
  /** When the provider last asked them who they are (`auth_time`), milliseconds since 1970; null: it does not say. */
  readonly authenticatedAt: number | null
}

/** Parameters that a browser brought back from the provider, with the values that it kept from the start. */
interface AuthorizationAnswer {
  readonly code: string
  readonly redirectUri: string
  /** Of PKCE (RFC 7636). */
  readonly codeVerifier: string
  /** To stand in the ID token (OpenID Connect Core 1.0, 3.1.3.7). */
  readonly nonce: string
  /** How the provider named itself beside the code (RFC 9207). */
  readonly iss?: string | undefined
}

export interface IdentityProvider {
  readonly clientId: string
  /** Address to which browsers are sent; null while the provider cannot be reached. */
  authorizationUrl(): Promise<string | null>
  /**
   * Exchanges the code for what the provider says.
   * @throws SignInRefused when code, verifier, nonce or issuer do not fit, ProviderUnavailable when there was no answer
   */
  identify(answer: AuthorizationAnswer): Promise<Identified>
}

/** The messages of both go into logs: codes alone, nothing that came from a browser or from the provider. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

interface Setup {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** How the provider is asked; over the network unless said otherwise. */
  readonly fetch?: openid.CustomFetch
  /** Called with the reason when the provider could not be reached. */
  readonly onFailure?: (error: Error) => void
}

/** Seconds for one answer of the provider. */
const PROVIDER_TIMEOUT_S = 5
/** A provider that did not answer is left alone for so long, milliseconds. */
const PAUSE_AFTER_FAILURE = 15_000

/** An OpenID provider (OpenID Connect Core 1.0) that describes itself (Discovery 1.0), such as Google. */
export function openIdProvider(setup: Setup): IdentityProvider {
  const { clientId, clock } = setup
  let known: Promise<openid.Configuration> | null = null
  let failedAt = -Infinity

  /** The provider's metadata, fetched once. */
  function configuration(): Promise<openid.Configuration> {
    known ??= discover(setup).catch((error: unknown) => {
      known = null
      failedAt = clock()
      const failure = new ProviderUnavailable(failureOf(error).message)
      setup.onFailure?.(failure)
      throw failure
    })
    return known
  }

  return {
    clientId,
    authorizationUrl: async () => {
      // Each start of the app asks for this; a clock that was put back must not make the pause endless.
      if (known === null && Math.abs(clock() - failedAt) < PAUSE_AFTER_FAILURE) return null
      try {
        return (await configuration()).serverMetadata().authorization_endpoint ?? null
      } catch (error) {
        if (error instanceof ProviderUnavailable) return null
        throw error
      }
    },
    identify: async (answer) => identify(await configuration(), answer),
  }
}

const discover = ({ issuer, clientId, clientSecret, fetch }: Setup): Promise<openid.Configuration> =>
  // The secret in the body, since not every provider decodes RFC 6749's form of Basic.
  openid.discovery(new URL(issuer), clientId, undefined, openid.ClientSecretPost(clientSecret), {
    timeout: PROVIDER_TIMEOUT_S,
    ...(fetch !== undefined && { [openid.customFetch]: fetch }),
    execute: [openid.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [])],
  })

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  email_verified: z.boolean().default(false),
  hd: z.string().max(254).optional(),
  auth_time: z.number().optional(),
})

async function identify(configuration: openid.Configuration, answer: AuthorizationAnswer): Promise<Identified> {
  const { code, redirectUri, codeVerifier, nonce, iss } = answer
  const returned = new URL(redirectUri)
  returned.searchParams.set('code', code)
  if (iss !== undefined) returned.searchParams.set('iss', iss)
  try {
    const tokens = await openid.authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: codeVerifier,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const { sub, email, email_verified, hd, auth_time } = claims.parse(tokens.claims())
    return {
      subject: sub,
      email,
      emailVerified: email_verified,
      hostedDomain: hd ?? null,
      authenticatedAt: auth_time === undefined ? null : auth_time * 1000,
    }
  } catch (error) {
    throw failureOf(error)
  }
}

/** Failures without a verdict of the provider: a retry may succeed. */
const NO_VERDICT: readonly (string | undefined)[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]

function failureOf(error: unknown): SignInRefused | ProviderUnavailable {
  if (error instanceof openid.ResponseBodyError) {
    const said = `the provider answered ${error.status} ${/^[a-z_]{1,40}$/.exec(error.error)?.[0] ?? ''}`.trim()
    // Any other refusal is about us, our secret for instance, and not about who wants to sign in.
    return error.error === 'invalid_grant' ? new SignInRefused(said) : new ProviderUnavailable(said)
  }
  if (error instanceof openid.ClientError) {
    const Failure = NO_VERDICT.includes(error.code) ? ProviderUnavailable : SignInRefused
    return new Failure(`the provider's answer was not accepted: ${error.code ?? 'unknown'}`)
  }
  if (error instanceof z.ZodError) return new SignInRefused('the ID token names no email address')
  // It does not take our secret any more (RFC 6749, 5.2).
  if (error instanceof openid.WWWAuthenticateChallengeError)
    return new ProviderUnavailable(`the provider answered ${error.status}`)
  // The error that `fetch` throws without a connection.
  if (error instanceof TypeError) return new ProviderUnavailable('the provider could not be reached')
  throw error
}
