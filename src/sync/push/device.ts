import type { PushSubscriptionBody } from '../../contract/alerts'
import type { AlertNotification } from '../../domain/alert-notification'

/** RFC 4648, section 5, without padding. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** How the browser is reached, as the engine sees it (W3C Push API). */
export interface PushDevice {
  readonly permission: () => NotificationPermission
  readonly current: () => Promise<PushSubscription | null>
  /** The notifications that are shown now. */
  readonly shown: () => Promise<readonly Notification[]>
  readonly show: (notification: AlertNotification) => Promise<void>
  /** @param key the server's VAPID key, base64url */
  readonly subscribe: (key: string) => Promise<PushSubscription>
}

/** Milliseconds: a browser that reaches no push service may never answer. */
export const SUBSCRIBE_LIMIT = 10_000

export const pushDevice = (registration: ServiceWorkerRegistration): PushDevice => ({
  permission: () => Notification.permission,
  current: () => currentPush(registration),
  shown: () => registration.getNotifications(),
  show: ({ title, options }) => registration.showNotification(title, options),
  subscribe: (key) => subscribeTo(registration, key),
})

/** The browser's push subscription; null: none. */
export const currentPush = async (
  // Browsers without the Push API have no manager.
  registration: { readonly pushManager?: PushManager } | undefined,
): Promise<PushSubscription | null> => (await registration?.pushManager?.getSubscription()) ?? null

/**
 * Subscribes to the key's server. A subscription to another key is given up first: a browser has one.
 * @throws what the browser refuses with
 */
export async function subscribeTo(
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  key: string,
): Promise<PushSubscription> {
  const present = await pushManager.getSubscription()
  if (present !== null && hasKey(present, key)) return present
  await present?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** True if the subscription was made for the server's key (RFC 8292), or the browser does not tell. */
export function hasKey({ options }: PushSubscription, key: string): boolean {
  const own = options?.applicationServerKey
  return own == null || base64url(new Uint8Array(own)) === key.replaceAll('=', '')
}

/** Body of the registration; null without an endpoint or a key, which the server needs for sending. */
export function bodyOf(subscription: PushSubscription): PushSubscriptionBody | null {
  const { endpoint, expirationTime, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (!endpoint || !p256dh || !auth) return null
  return { endpoint, expirationTime: expirationTime ?? null, keys: { p256dh, auth } }
}
