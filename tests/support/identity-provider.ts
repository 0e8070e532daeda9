import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type KoaContextWithOIDC } from 'oidc-provider'

/** A person with an account at the provider. */
export interface ProviderUser {
  /** The provider's own name for them, the same for ever. */
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  /** The Workspace domain of the account. */
  readonly hd?: string
}

export interface IdentityProvider {
  /** GOOGLE_ISSUER for a server. */
  readonly issuer: string
  /** GOOGLE_ISSUER, GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. */
  readonly variables: Readonly<Record<string, string>>
  /** The account that signs in from now on, without any question. */
  signsIn(user: ProviderUser): void
  /** When the next ones signed in there, seconds since 1970; null: at the moment. */
  signedIn(at: number | null): void
  /** From now on whoever comes declines, and is sent back with the error access_denied. */
  declines(): void
  /** The parameters of every authorization request so far. */
  requests(): readonly URLSearchParams[]
  stop(): Promise<void>
}

const CLIENT = { client_id: 'the-app', client_secret: 'a secret between the provider and the app' }

/**
 * A real OpenID provider on a port of its own, whose people decide at once instead of being shown a page. Like Google it
 * puts the e-mail address into the ID token, and knows the redirect addresses of its client exactly.
 */
export async function startIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  const people = new Map<string, ProviderUser>()
  const requests: URLSearchParams[] = []
  let next: ProviderUser | null = null
  let signedInAt: number | null = null

  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified', 'hd'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for cookies that nobody keeps'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: KoaContextWithOIDC, accountId: string) => {
      const found = people.get(accountId)
      return found === undefined ? undefined : { accountId, claims: () => ({ ...found, name: found.email }) }
    },
    interactions: { url: (_context, interaction) => `/decide/${interaction.uid}` },
    jwks: { keys: [await signingKey()] },
    pkce: { required: () => true },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  })

  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const clientId = String(params['client_id'])
    if (next === null) {
      const result = { error: 'access_denied', error_description: 'The user declined' }
      return provider.interactionFinished(request, response, result)
    }
    const grant = new provider.Grant({ accountId: next.sub, clientId })
    grant.addOIDCScope(String(params['scope']))
    const login = { accountId: next.sub, ...(signedInAt !== null && { ts: signedInAt }) }
    const result = { login, consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result)
  }

  const serve = provider.callback()
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/auth') requests.push(searchParams)
    // The provider forgets who signed in: the next person may be another one, in the same browser.
    const cookies = request.headers.cookie?.split('; ').filter((cookie) => !cookie.startsWith('_session'))
    if (cookies !== undefined) request.headers.cookie = cookies.join('; ')
    const answered = pathname.startsWith('/decide/') ? decide(request, response) : serve(request, response)
    answered.catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  return {
    issuer,
    variables: {
      GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: CLIENT.client_id,
      GOOGLE_CLIENT_SECRET: CLIENT.client_secret,
    },
    signsIn: (user) => {
      people.set(user.sub, user)
      next = user
    },
    signedIn: (at) => {
      signedInAt = at
    },
    declines: () => {
      next = null
    },
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One in a process: to make one takes a third of a second. */
let key: ReturnType<typeof newKey> | null = null
const signingKey = () => (key ??= newKey())

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }
}
