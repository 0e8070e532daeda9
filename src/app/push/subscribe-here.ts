import type { PushSubscriptionBody } from '../../contract/push'
import { bodyOf, hasKey } from '../../sync/push/subscription'
import { inTime, PushSetupFailed } from './patience'

export interface Subscribed {
  readonly body: PushSubscriptionBody
  /** Takes back a subscription that was made just now; one that was there before stays. */
  readonly undo: () => Promise<void>
}

/**
 * This browser's subscription, made where there is none for this server (W3C Push API; RFC 8292 for the key). Permission
 * has been granted before.
 * @throws PushSetupFailed where the service worker or the push service does not come up in time, or gives no address
 */
export async function subscribeHere(key: string | null): Promise<Subscribed> {
  if (key === null) throw new PushSetupFailed('The server has no key for push.')
  const { pushManager } = await inTime(navigator.serviceWorker.ready, 'The service worker')
  const known = await inTime(pushManager.getSubscription(), 'The subscription')
  const kept = known !== null && hasKey(known, key)
  // Another key's must go first: a browser has one subscription, and refuses a second (InvalidStateError).
  if (known !== null && !kept) await inTime(known.unsubscribe(), 'Unsubscribing')
  const subscription = kept
    ? known
    : await inTime(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), 'Subscribing')
  const body = bodyOf(subscription)
  if (body === null) throw new PushSetupFailed('The subscription has no address or no keys.')
  return { body, undo: async () => void (kept || (await subscription.unsubscribe())) }
}
