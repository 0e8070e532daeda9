import type { PushSubscriptionBody } from '../../contract/push'

/** What the server is told of a browser's subscription; null where the browser gives no address or not both keys. */
export function bodyOf(subscription: PushSubscription): PushSubscriptionBody | null {
  const { endpoint, expirationTime, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) return null
  return { endpoint, expirationTime: expirationTime ?? null, keys: { p256dh, auth } }
}

/** Whether a subscription was made for this public key of a server (base64url, RFC 8292); others' pushes are refused. */
export function hasKey(subscription: PushSubscription, key: string): boolean {
  const bytes = subscription.options.applicationServerKey
  return bytes !== null && base64Url(new Uint8Array(bytes)) === key.replace(/=+$/, '')
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
