import webpush from 'web-push'
import { HOUR } from '../../../src/domain/granularity'
import type { Vapid } from '../../vapid'
import { remember } from '../../waits'
import { guardedPost, type GuardedPostDeps, type PostAnswer } from '../guarded-post'
import type { PushHosts } from './push-hosts'

/** One message for one browser (RFC 8030). */
export interface PushMessage {
  readonly endpoint: string
  /** RFC 8291; base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly payload: string
  /** True: the payload has the shape of Declarative Web Push, and is sent as such. */
  readonly declarative?: boolean
  /** Seconds that the push service keeps it for a browser that is not there. */
  readonly ttl: number
  /** Replaces what the push service still keeps of this topic; at most 32 characters of base64url. */
  readonly topic: string
}

export type PushAnswer =
  | PostAnswer
  /** There is no way to send it: an endpoint that is not to be sent to, or keys that nothing can be encrypted with. */
  | { readonly kind: 'impossible'; readonly why: string }

/** Brings messages to push services. */
export interface PushSender {
  /** Never rejects. Follows no redirect. */
  send(message: PushMessage): Promise<PushAnswer>
  close(): void
}

interface PushSenderDeps extends Omit<GuardedPostDeps, 'timeout'> {
  readonly vapid: Vapid
  readonly hosts: PushHosts
}

/** Milliseconds for name, connection, request and answer together. */
export const PUSH_TIMEOUT_MS = 10_000
/** How long a signed introduction is good for (at most 24 hours, RFC 8292, 2), and how long it is used. Signing costs more than encrypting. */
const SIGNATURE_LIFETIME = 12 * HOUR
const SIGNATURE_USE = 11 * HOUR

export function pushSender({ vapid, hosts, ...deps }: PushSenderDeps): PushSender {
  const { clock } = deps
  const post = guardedPost({ ...deps, timeout: PUSH_TIMEOUT_MS })
  const { subject, publicKey, privateKey } = vapid
  const introduction = remember(SIGNATURE_USE, clock, (origin) => {
    const until = Math.floor((clock() + SIGNATURE_LIFETIME) / 1000)
    return webpush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', until).Authorization
  })

  async function send({ endpoint, keys, payload, declarative = false, ttl, topic }: PushMessage): Promise<PushAnswer> {
    const admitted = hosts(endpoint)
    if (admitted === null) return { kind: 'impossible', why: 'the endpoint is at no push service that is sent to' }
    let details: webpush.RequestDetails
    try {
      const headers = { Authorization: introduction(admitted.url.origin) }
      const options = { TTL: ttl, urgency: 'high', topic, headers } as const
      details = webpush.generateRequestDetails({ endpoint, keys }, payload, options)
      if (declarative) details.headers['Content-Type'] = 'application/notification+json'
    } catch {
      // Its error messages may quote the keys.
      return { kind: 'impossible', why: 'nothing can be encrypted with the keys' }
    }
    return post.post(admitted, details)
  }

  return { send, close: post.close }
}
