import type { PushSubscriptionBody } from '../../../src/contract/alerts'

/** Those of the example in RFC 8291, 5. */
export const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** The PushSubscription of a browser that is reached at `endpoint`. */
export const subscription = (endpoint: string): PushSubscriptionBody => ({
  endpoint,
  expirationTime: null,
  keys: BROWSER_KEYS,
})
