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
export interface AuthorizationAnswer {
  readonly code: string
  readonly redirectUri: string
  /** Of PKCE (RFC 7636). */
  readonly codeVerifier: string
  /** To stand in the ID token (OpenID Connect Core 1.0, 3.1.3.7). */
  readonly nonce: string
  /** How the provider named itself beside the code (RFC 9207). */
  readonly iss?: string | undefined
}

/** An identity provider. */
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

/** Messages of both hold codes alone, nothing that came from a browser or from the provider: they go into logs. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}
