import type { PushSubscriptionBody } from '../../contract/push'
import { bodyOf, currentPush, hasKey, subscribeTo } from '../../sync/push/device'
import { inTime, PushSetupFailed } from './patience'

const NO_ANSWER = 'The browser’s push service did not answer within 10 seconds.'

export interface Subscribed {
  readonly body: PushSubscriptionBody
  /** Takes back a subscription that was made just now; one that was there before stays. */
  readonly undo: () => Promise<unknown>
}

/**
 * This browser's subscription, made where there is none for this server (W3C Push API; RFC 8292 for the key). Permission
 * has been granted before.
 * @throws PushSetupFailed where the service worker or the push service does not come up in time, or gives no address
 */
export async function subscribeHere(key: string | null): Promise<Subscribed> {
  if (key === null) throw new PushSetupFailed('This server sends no push messages.')
  const registration = await inTime(
    navigator.serviceWorker.ready,
    'The app’s background worker did not start within 10 seconds.',
  )
  const present = await inTime(
    currentPush(registration),
    'The browser did not say within 10 seconds whether it is subscribed.',
  )
  const subscription = await inTime(subscribeTo(registration, key), NO_ANSWER)
  const body = bodyOf(subscription)
  if (body === null) throw new PushSetupFailed('The browser’s push service gave no address.')
  const kept = present !== null && hasKey(present, key)
  return { body, undo: async () => kept || subscription.unsubscribe() }
}
