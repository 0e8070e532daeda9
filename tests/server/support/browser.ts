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
}

export function browserAt(service: PushService, vapidKey: string | null = TEST_VAPID.VAPID_PUBLIC_KEY): Browser {
  const device = deviceKeys()
  const [alerts, digests]: [AlertMessage[], DigestMessage[]] = [[], []]
  const heads: NodeJS.Dict<string | string[]>[] = []
  const channel = service.channel({
    vapidKey,
    onMessage: (body, headers) => {
      const message: unknown = JSON.parse(device.decrypt(body))
      const digest = digestMessage.safeParse(message)
      if (digest.success) digests.push(digest.data)
      else alerts.push(alertMessage.parse(message))
      heads.push(headers)
    },
  })
  return {
    ...channel,
    keys: device.keys,
    alerts,
    digests,
    heads,
    subscribe: async (owner, op, kinds) => {
      const body = { endpoint: channel.endpoint, expirationTime: null, keys: device.keys, kinds }
      const answer = await owner.ask<{ id: string }>(
        'POST',
        '/push/subscribe',
        body,
        op === undefined ? {} : { 'idempotency-key': op },
      )
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.id
    },
  }
}
