import {
  alertMessage,
  type AlertMessage,
  digestMessage,
  type DigestMessage,
  type PushSubscriptionBody,
} from '../../../src/contract/alerts'
import { deviceKeys } from '../../support/push-device'
import type { PushChannel, PushService } from '../../support/push-service'
import type { Person } from './person'
import { TEST_VAPID } from './test-vapid'

/** A browser with a subscription of its own, as far as a server can see one. */
export interface Browser extends PushChannel {
  readonly keys: PushSubscriptionBody['keys']
  /** Messages that this browser received, oldest first, decrypted with its keys. */
  readonly alerts: readonly AlertMessage[]
  /** Those that list several alerts. */
  readonly digests: readonly DigestMessage[]
  /** The headers of the pushes it got. */
  readonly heads: readonly NodeJS.Dict<string | string[]>[]
  /** Makes it its owner's at the server, and expects that to work. @returns the subscription's id */
  subscribe(owner: Person, op?: string, kinds?: readonly string[]): Promise<string>
  /** As `subscribe`, for declarative pushes. @returns the secret of its receipts */
  subscribeForReceipts(owner: Person): Promise<string>
  /** The pushes that this browser received, oldest first, decrypted, with all their fields. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[]
}

export function browserAt(service: PushService, vapidKey: string | null = TEST_VAPID.VAPID_PUBLIC_KEY): Browser {
  const device = deviceKeys()
  const [alerts, digests]: [AlertMessage[], DigestMessage[]] = [[], []]
  const heads: NodeJS.Dict<string | string[]>[] = []
  const payloads: Record<string, unknown>[] = []
  const channel = service.channel({
    vapidKey,
    onMessage: (body, headers) => {
      const message = JSON.parse(device.decrypt(body)) as Record<string, unknown>
      payloads.push(message)
      const digest = digestMessage.safeParse(message)
      if (digest.success) digests.push(digest.data)
      else alerts.push(alertMessage.parse(message))
      heads.push(headers)
    },
  })
  const send = async <T>(owner: Person, more: object, op?: string): Promise<T> => {
    const body = { endpoint: channel.endpoint, expirationTime: null, keys: device.keys, ...more }
    const headers = op === undefined ? {} : { 'idempotency-key': op }
    const answer = await owner.ask<T>('POST', '/push/subscribe', body, headers)
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    ...channel,
    keys: device.keys,
    payloads,
    alerts,
    digests,
    heads,
    subscribe: async (owner, op, kinds) => (await send<{ id: string }>(owner, { kinds }, op)).id,
    subscribeForReceipts: async (owner) =>
      (await send<{ receipt_secret: string }>(owner, { receipts: true })).receipt_secret,
  }
}
