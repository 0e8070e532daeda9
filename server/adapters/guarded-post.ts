import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { MINUTE } from '../../src/domain/granularity'
import { withTimeLimit } from '../../src/domain/waits'
import { nodeTimer, remember } from '../waits'
import { type Admitted, isPublicAddress } from './push/push-hosts'

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null }
  /** Nothing was sent, or nobody said what became of it. */
  | { readonly kind: 'unanswered'; readonly why: string }

type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>

export interface GuardedPostDeps {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds for name, connection, request and answer together. */
  readonly timeout: number
  /** Which certificates to trust instead of the known ones; for tests. */
  readonly ca?: string | undefined
  readonly resolve?: ResolveHost | undefined
}

/** Posts to addresses that users or browsers have given us, and to no address inside a network that no operator has named. */
export type GuardedPost = ReturnType<typeof guardedPost>

/** How long the addresses of a host are used, and a connection that nobody needs is kept. Milliseconds. */
const ADDRESS_LIFETIME = MINUTE
const IDLE_CONNECTION_MS = MINUTE
/**
 * Connections to one host that are kept: as many as there are requests at a time, or each burst of messages would end
 * hundreds and make them anew. A handshake takes as much of the processor as the message.
 */
const MOST_KEPT = 512
/** Of an answer's body, which nobody reads: more of it, or longer, ends the connection. */
const MAX_BODY_BYTES = 64 * 1024
const MAX_BODY_MS = 5_000

const systemResolve: ResolveHost = (host) => lookup(host, { all: true })

export function guardedPost({ clock, timeout, ca, resolve = systemResolve }: GuardedPostDeps) {
  const kept = { keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: MOST_KEPT }
  const agents = {
    // Of all connections: Node would read the certificates that are trusted for each.
    'https:': new https.Agent({ ...kept, secureContext: createSecureContext(ca === undefined ? {} : { ca }) }),
    'http:': new http.Agent(kept),
  }
  // Checked before a socket exists, and then connected to as checked: a name that means another address a moment later
  // leads nowhere else.
  const addresses = remember(ADDRESS_LIFETIME, clock, async (host) => requirePublic(await resolve(host)))

  const connect = async ({ url, named }: Admitted, request: PostRequest, signal: AbortSignal): Promise<PostAnswer> => {
    const found = named ? null : lookupOf(await addresses(url.hostname))
    signal.throwIfAborted()
    return postTo(url, request, {
      signal,
      agent: agents[url.protocol === 'http:' ? 'http:' : 'https:'],
      ...(found && { lookup: found }),
    })
  }

  return {
    /** Never rejects. Follows no redirect. */
    async post(to: Admitted, request: PostRequest): Promise<PostAnswer> {
      const late = new AbortController()
      try {
        return await withTimeLimit(nodeTimer, timeout, connect(to, request, late.signal), () => {
          // Not enough by itself: a name that is never resolved cannot be aborted.
          late.abort()
          return { kind: 'unanswered', why: 'TIMEOUT' }
        })
      } catch (error) {
        return { kind: 'unanswered', why: reasonOf(error) }
      }
    },

    /** Why nothing could be posted there now, as a code; null: the host is named by the operator, or all its addresses are public. */
    async refusalOf({ url, named }: Admitted): Promise<string | null> {
      if (named) return null
      try {
        return await withTimeLimit(
          nodeTimer,
          timeout,
          addresses(url.hostname).then(() => null),
          () => 'TIMEOUT',
        )
      } catch (error) {
        return reasonOf(error)
      }
    },

    close: () => {
      agents['https:'].destroy()
      agents['http:'].destroy()
    },
  }
}

interface PostRequest {
  readonly headers: http.OutgoingHttpHeaders
  readonly body: string | Buffer | null
}

/** Posts a message; follows no redirect. */
function postTo(
  url: URL,
  { headers, body }: PostRequest,
  options: Pick<https.RequestOptions, 'agent' | 'signal' | 'lookup'>,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'http:' ? http : https
    const request = client.request(url, { method: 'POST', headers, ...options })
    request.on('response', (response) => {
      discard(response)
      const { statusCode: status = 0, headers } = response
      resolve({ kind: 'answered', status, retryAfter: headers['retry-after'] ?? null })
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('The connection ended without an answer')))
    request.end(body)
  })
}

/** All that an answer says is in its head; the rest is read so that the connection can be used again, unless it is long. */
function discard(response: http.IncomingMessage): void {
  let bytes = 0
  const cancel = nodeTimer(MAX_BODY_MS, () => response.destroy())
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) response.destroy()
  })
  response.on('error', () => undefined)
  response.on('close', cancel)
}

/** For a connection that may go to these addresses and no others. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

/** A code where there is one: messages of sockets and resolvers may repeat the address. */
export function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'NO_ANSWER'
}

/** @throws Error NOT_PUBLIC unless every address is public: a name with an address in our own network is no receiver's */
function requirePublic(addresses: readonly LookupAddress[]): readonly LookupAddress[] {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw Object.assign(new Error('A receiver was found at an address that is not public'), { code: 'NOT_PUBLIC' })
  }
  return addresses
}
