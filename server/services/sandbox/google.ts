import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import type Provider from 'oidc-provider'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { CustomFetch } from 'openid-client'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import { type IdentityProvider, openIdProvider } from '../../adapters/identity-provider'
import { ApiError } from '../../http/api-error'
import { redirectUriOf } from '../google/sign-in'
import { sandboxPage } from './pages'

/** Path at which it is mounted. */
export const SANDBOX_GOOGLE = '/sandbox/google'

/** Identity chosen by the user. */
interface SandboxChoice {
  readonly email: string
  /** The address belongs to a Workspace of its domain, so that Google runs its mailbox. */
  readonly workspace: boolean
}

export type SandboxGoogle = ReturnType<typeof sandboxGoogle>

/** A local OpenID provider that stands in for Google: visitors say who they are, and are believed. */
export function sandboxGoogle(publicUrl: string, clock: () => number) {
  const issuer = `${publicUrl}${SANDBOX_GOOGLE}`
  const client = { clientId: 'sandbox', clientSecret: randomBytes(32).toString('base64url') }
  let reach: CustomFetch | null = null
  const fetch: CustomFetch = async (url, options) => {
    if (reach === null) throw new TypeError('The sandbox is not being served')
    return reach(url, options)
  }
  const openId = openIdProvider({ issuer, ...client, clock, fetch })

  // The address is known without asking, so that the provider is made at the first login, not at every start.
  const identityProvider: IdentityProvider = { ...openId, authorizationUrl: async () => `${issuer}/auth` }

  /** By subject. */
  const people = new Map<string, SandboxChoice>()
  let made: Promise<Provider> | null = null
  const provider = () => (made ??= makeProvider({ issuer, redirectUri: redirectUriOf(publicUrl), ...client, people }))

  return {
    /** As the rest of the server sees it: no different from Google. */
    provider: identityProvider,
    /** Handler of requests below SANDBOX_GOOGLE. */
    handler: async () => {
      const answer = (await provider()).callback()
      return (request: IncomingMessage, response: ServerResponse) => answer(asPublic(request, publicUrl), response)
    },
    /** The interaction under way, with the address chosen last in this browser, if any. Null: it is over. */
    choosing: async (request: IncomingMessage, response: ServerResponse) => {
      const details = await interaction(await provider(), request, response)
      return details && { email: people.get(details.session?.accountId ?? '')?.email ?? '' }
    },
    /**
     * Ends the choice; null: it was declined.
     * @returns where the browser goes on; null: there was nothing to choose any more
     */
    finish: async (request: IncomingMessage, response: ServerResponse, choice: SandboxChoice | null) => {
      const known = await provider()
      const details = await interaction(known, request, response)
      if (details === null) return null
      if (choice === null) return known.interactionResult(request, response, { error: 'access_denied' })
      const accountId = subjectOf(choice.email)
      people.set(accountId, choice)
      const grant = new known.Grant({ accountId, clientId: client.clientId })
      grant.addOIDCScope(String(details.params['scope']))
      const consent = { grantId: await grant.save() }
      return known.interactionResult(request, response, { login: { accountId }, consent })
    },
    /** Says how the provider is asked from within this process. */
    reachBy: (fetch: CustomFetch) => {
      reach = fetch
    },
  }
}

/** The provider names itself by PUBLIC_URL, independent of a request's host and port. */
function asPublic(request: IncomingMessage & { originalUrl?: string }, publicUrl: string): IncomingMessage {
  const { host, protocol } = new URL(publicUrl)
  request.headers.host = host
  request.headers['x-forwarded-proto'] = protocol.replace(':', '')
  request.originalUrl = request.url ?? ''
  request.url = request.originalUrl.slice(SANDBOX_GOOGLE.length)
  return request
}

async function interaction(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  try {
    return await provider.interactionDetails(request, response)
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return null
    throw error
  }
}

/** The same for the same address at every start, as Google's is. */
const subjectOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 21)

type Setup = Readonly<Record<'issuer' | 'redirectUri' | 'clientId' | 'clientSecret', string>> & {
  readonly people: ReadonlyMap<string, SandboxChoice>
}

const inSeconds = (milliseconds: number): number => milliseconds / 1000

async function makeProvider({ issuer, redirectUri, clientId, clientSecret, people }: Setup): Promise<Provider> {
  const { Provider } = await import('oidc-provider').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ApiError(
      'IDENTITY_PROVIDER_UNAVAILABLE',
      'The sandbox of login with Google needs the package oidc-provider, which is not installed: run npm ci without --omit=optional.',
    )
  })
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    adapter: providerStorage(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified', 'hd'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_context, sub) => {
      const person = people.get(sub)
      if (person === undefined) return undefined
      const { email, workspace } = person
      const hd = workspace ? { hd: email.slice(email.lastIndexOf('@') + 1) } : {}
      return { accountId: sub, claims: () => ({ sub, email, email_verified: true, name: email, ...hd }) }
    },
    interactions: { url: (_context, { uid }) => `${SANDBOX_GOOGLE}/account/${uid}` },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    renderError: (context, { error, error_description }) => {
      context.type = 'html'
      context.body = sandboxPage('Login not possible', [
        `The app asked in a way that Google would refuse: ${error}.`,
        error_description ?? '',
      ])
    },
    ttl: {
      AccessToken: inSeconds(HOUR),
      AuthorizationCode: inSeconds(MINUTE),
      Grant: inSeconds(HOUR),
      IdToken: inSeconds(HOUR),
      Interaction: inSeconds(10 * MINUTE),
      Session: inSeconds(DAY),
    },
  })
  provider.proxy = true
  return provider
}

/** Memory of the sandbox's OpenID provider, gone with the process. */
function providerStorage(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  const find = (matches: (payload: AdapterPayload) => boolean) => [...kept.values()].find(matches)
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) => find((payload) => payload.uid === uid && payload.kind === model),
      findByUserCode: async (code) => find((payload) => payload.userCode === code && payload.kind === model),
      consume: async (id) => {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
