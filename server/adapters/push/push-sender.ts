import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import webpush from 'web-push'
import { HOUR } from '../../../src/domain/granularity'
import type { Vapid } from '../../vapid'
import type { Admitted, PushHosts } from './push-hosts'
import { NotPublic, requirePublic } from './public-address'
import { remember } from './remember'

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

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

interface Parts {
  readonly vapid: Vapid
  readonly hosts: PushHosts
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Which certificates to trust instead of the known ones; for tests. */
  readonly ca?: string
  readonly resolve?: Resolve
}

/** Milliseconds for name, connection, request and answer together. */
export const LONGEST_SENDING = 10_000
/** How long a signed introduction is good for (at most 24 hours, RFC 8292, 2), and how long it is used. Signing costs more than encrypting. */
const SIGNED_FOR = 12 * HOUR
const USED_FOR = 11 * HOUR
/** How long the addresses of a push service are used, and a connection that nobody needs is kept. Milliseconds. */
const ADDRESSES_FOR = 60_000
const IDLE = 60_000

const systemResolve: Resolve = (host) => lookup(host, { all: true })

export function pushSender({ vapid, hosts, clock, ca, resolve = systemResolve }: Parts): PushSender {
  const agents = {
    'https:': new https.Agent({ keepAlive: true, timeout: IDLE, ...(ca !== undefined && { ca }) }),
    'http:': new http.Agent({ keepAlive: true, timeout: IDLE }),
  }
  const introduction = remember({
    make: (origin) => {
      const until = Math.floor((clock() + SIGNED_FOR) / 1000)
      return webpush.getVapidHeaders(origin, vapid.subject, vapid.publicKey, vapid.privateKey, 'aes128gcm', until).Authorization // prettier-ignore
    },
    lifetime: USED_FOR,
    clock,
  })
  // Checked before a socket exists, and then connected to as checked: a name that means another address a moment later
  // leads nowhere else.
  const addresses = remember({ make: async (host) => requirePublic(await resolve(host)), lifetime: ADDRESSES_FOR, clock }) // prettier-ignore

  async function send({ endpoint, keys, payload, ttl, topic }: PushMessage): Promise<PushAnswer> {
    const admitted = hosts(endpoint)
    if (admitted === null) return { kind: 'impossible', why: 'the endpoint is at no push service that is sent to' }
    let details: webpush.RequestDetails
    try {
      const headers = { Authorization: introduction(admitted.url.origin) }
      details = webpush.generateRequestDetails({ endpoint, keys }, payload, { TTL: ttl, urgency: 'high', topic, headers }) // prettier-ignore
    } catch {
      // What it throws may quote the keys.
      return { kind: 'impossible', why: 'nothing can be encrypted with the keys' }
    }
    const signal = AbortSignal.timeout(LONGEST_SENDING)
    try {
      return { kind: 'answered', ...(await within(signal, post(admitted, details, signal))) }
    } catch (error) {
      return { kind: 'unanswered', why: signal.aborted ? 'TIMEOUT' : reasonOf(error) }
    }
  }

  async function post({ url, named }: Admitted, { headers, body }: webpush.RequestDetails, signal: AbortSignal) {
    const found = named ? null : lookupOf(await addresses(url.hostname))
    signal.throwIfAborted()
    const { protocol } = url
    const [client, agent] = protocol === 'http:' ? [http, agents['http:']] : [https, agents['https:']]
    return new Promise<{ status: number; retryAfter: string | null }>((resolve, reject) => {
      const request = client.request(url, { method: 'POST', headers, agent, signal, ...(found && { lookup: found }) })
      request.on('response', (response) => {
        // All it says is in its head; the rest is read so that the connection can be used again.
        response.resume()
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null })
      })
      request.on('error', reject)
      request.on('close', () => reject(new Error('The connection ended without an answer')))
      request.end(body)
    })
  }

  return {
    send,
    close: () => {
      agents['https:'].destroy()
      agents['http:'].destroy()
    },
  }
}

/** For a connection that may go to these addresses and no others. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

/** The work, or a rejection once its time is over: a name that is never resolved cannot be aborted. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Too late')), { once: true })
  })
  return Promise.race([work, over])
}

/** A code where there is one: messages of sockets and resolvers may repeat the address. */
function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return error instanceof NotPublic || typeof code === 'string' ? String(code) : 'NO_ANSWER'
}
