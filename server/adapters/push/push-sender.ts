import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import webpush from 'web-push'
import { HOUR, MINUTE } from '../../../src/domain/granularity'
import { isDue, withTimeLimit } from '../../../src/domain/waits'
import type { Vapid } from '../../vapid'
import { nodeTimer } from '../../waits'
import { type Admitted, isPublicAddress, type PushHosts } from './push-hosts'

/** One message for one browser (RFC 8030). */
export interface PushMessage {
  readonly endpoint: string
  /** RFC 8291; base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly payload: string
  /** Seconds that the push service keeps it for a browser that is not there. */
  readonly ttl: number
  /** Replaces what the push service still keeps of this topic; at most 32 characters of base64url. */
  readonly topic: string
}

export type PushAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null }
  /** Nothing was sent, or nobody said what became of it. */
  | { readonly kind: 'unanswered'; readonly why: string }
  /** There is no way to send it: an endpoint that is not to be sent to, or keys that nothing can be encrypted with. */
  | { readonly kind: 'impossible'; readonly why: string }

/** Brings messages to push services. */
export interface PushSender {
  /** Never rejects. Follows no redirect. */
  send(message: PushMessage): Promise<PushAnswer>
  close(): void
}

type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>

interface PushSenderDeps {
  readonly vapid: Vapid
  readonly hosts: PushHosts
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Which certificates to trust instead of the known ones; for tests. */
  readonly ca?: string
  readonly resolve?: ResolveHost
}

/** Milliseconds for name, connection, request and answer together. */
export const PUSH_TIMEOUT_MS = 10_000
/** How long a signed introduction is good for (at most 24 hours, RFC 8292, 2), and how long it is used. Signing costs more than encrypting. */
const SIGNATURE_LIFETIME = 12 * HOUR
const SIGNATURE_USE = 11 * HOUR
/** How long the addresses of a push service are used, and a connection that nobody needs is kept. Milliseconds. */
const ADDRESS_LIFETIME = MINUTE
const IDLE_CONNECTION_MS = MINUTE

const systemResolve: ResolveHost = (host) => lookup(host, { all: true })

export function pushSender({ vapid, hosts, clock, ca, resolve = systemResolve }: PushSenderDeps): PushSender {
  const agents = {
    'https:': new https.Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS, ...(ca !== undefined && { ca }) }),
    'http:': new http.Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
  }
  const { subject, publicKey, privateKey } = vapid
  const introduction = remember(SIGNATURE_USE, clock, (origin) => {
    const until = Math.floor((clock() + SIGNATURE_LIFETIME) / 1000)
    return webpush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', until).Authorization
  })
  // Checked before a socket exists, and then connected to as checked: a name that means another address a moment later
  // leads nowhere else.
  const addresses = remember(ADDRESS_LIFETIME, clock, async (host) => requirePublic(await resolve(host)))

  const post = async ({ url, named }: Admitted, details: webpush.RequestDetails, signal: AbortSignal) => {
    const found = named ? null : lookupOf(await addresses(url.hostname))
    signal.throwIfAborted()
    return postTo(url, details, {
      signal,
      agent: agents[url.protocol === 'http:' ? 'http:' : 'https:'],
      ...(found && { lookup: found }),
    })
  }

  async function send({ endpoint, keys, payload, ttl, topic }: PushMessage): Promise<PushAnswer> {
    const admitted = hosts(endpoint)
    if (admitted === null) return { kind: 'impossible', why: 'the endpoint is at no push service that is sent to' }
    let details: webpush.RequestDetails
    try {
      const headers = { Authorization: introduction(admitted.url.origin) }
      const options = { TTL: ttl, urgency: 'high', topic, headers } as const
      details = webpush.generateRequestDetails({ endpoint, keys }, payload, options)
    } catch {
      // Its error messages may quote the keys.
      return { kind: 'impossible', why: 'nothing can be encrypted with the keys' }
    }
    const late = new AbortController()
    try {
      return await withTimeLimit(nodeTimer, PUSH_TIMEOUT_MS, post(admitted, details, late.signal), () => {
        // Not enough by itself: a name that is never resolved cannot be aborted.
        late.abort()
        return { kind: 'unanswered', why: 'TIMEOUT' }
      })
    } catch (error) {
      return { kind: 'unanswered', why: reasonOf(error) }
    }
  }

  return {
    send,
    close: () => {
      agents['https:'].destroy()
      agents['http:'].destroy()
    },
  }
}

/** Posts a message; follows no redirect. */
function postTo(
  url: URL,
  { headers, body }: webpush.RequestDetails,
  options: Pick<https.RequestOptions, 'agent' | 'signal' | 'lookup'>,
): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'http:' ? http : https
    const request = client.request(url, { method: 'POST', headers, ...options })
    request.on('response', (response) => {
      // All it says is in its head; the rest is read so that the connection can be used again.
      response.resume()
      const { statusCode: status = 0, headers } = response
      resolve({ kind: 'answered', status, retryAfter: headers['retry-after'] ?? null })
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('The connection ended without an answer')))
    request.end(body)
  })
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
function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'NO_ANSWER'
}

/** More keys than there are good ones: a caller that invents others must not fill our memory. */
const MAX_KEYS = 1_000

/**
 * Makes something for a key, and gives the same again until its time is over. A promise that rejects is not kept.
 * @param lifetime milliseconds
 */
function remember<T>(lifetime: number, clock: () => number, make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, { readonly value: T; readonly until: number }>()
  return (key) => {
    const now = clock()
    const known = kept.get(key)
    if (known !== undefined && !isDue(known.until, now, lifetime)) return known.value
    if (kept.size >= MAX_KEYS) kept.clear()
    const value = make(key)
    kept.set(key, { value, until: now + lifetime })
    if (value instanceof Promise) value.catch(() => kept.delete(key))
    return value
  }
}

/** @throws Error NOT_PUBLIC unless every address is public: a name with an address in our own network is no push service's */
function requirePublic(addresses: readonly LookupAddress[]): readonly LookupAddress[] {
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw Object.assign(new Error('A push service was found at an address that is not public'), { code: 'NOT_PUBLIC' })
  }
  return addresses
}
