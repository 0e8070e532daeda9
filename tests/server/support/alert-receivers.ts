import type { Pool } from 'pg'
import { EVENT_KINDS } from '../../../server/db/schema/alerts'
import { newSigningSecret } from '../../../server/services/channels/webhook-message'
import { deviceKeys } from '../../support/push-device'
import { startPushService } from '../../support/push-service'
import { startWebhookSink } from '../../support/webhook-sink'

/** A message as it arrived, again and again where it did. */
interface Arrival {
  readonly step: number
  /** The message's own name; of a push its first alert. */
  readonly id: string
  readonly events: readonly string[]
}

/** Phones and webhooks of every fourth owner each. */
export interface Receivers {
  readonly pushHost: string
  readonly webhookHost: string
  /** The way in which an owner hears; null: by none. */
  wayOf(owner: number): 'push' | 'webhook' | null
  /** Gives the owners of these ids, in their order, their ways. */
  register(pool: Pool, owners: readonly string[], now: Date): Promise<void>
  /** Messages that arrive from now on arrive at this update. */
  at(step: number): void
  arrivals(owner: number): readonly Arrival[]
  stop(): Promise<void>
}

export async function startReceivers(): Promise<Receivers> {
  const [service, sink] = await Promise.all([startPushService(), startWebhookSink()])
  const pushed = new Map<number, Arrival[]>()
  let step = 0
  const steps: number[] = []
  const wayOf = (owner: number) => (owner % 4 === 0 ? 'push' : owner % 4 === 1 ? 'webhook' : null)

  async function registerPhone(pool: Pool, id: string, owner: number, now: Date): Promise<void> {
    const device = deviceKeys()
    const heard: Arrival[] = []
    pushed.set(owner, heard)
    const { endpoint } = service.channel({
      vapidKey: null,
      onMessage: (body) => {
        const message = JSON.parse(device.decrypt(body)) as { event_id?: string; alerts?: { event_id: string }[] }
        const events = message.alerts?.map(({ event_id }) => event_id) ?? [message.event_id!]
        heard.push({ step, id: events.join(' '), events })
      },
    })
    await pool.query(
      `INSERT INTO push_subscriptions (owner_id, endpoint, p256dh, auth, kinds, subscribed_at, free_at) VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [
        id,
        endpoint,
        device.keys.p256dh,
        device.keys.auth,
        [...EVENT_KINDS, ...(owner % 8 === 0 ? ['digest'] : [])],
        now,
      ],
    )
  }

  return {
    pushHost: service.host,
    webhookHost: sink.host,
    wayOf,
    register: async (pool, owners, now) => {
      for (const [owner, id] of owners.entries()) {
        if (wayOf(owner) === 'push') await registerPhone(pool, id, owner, now)
        if (wayOf(owner) !== 'webhook') continue
        await pool.query(
          `INSERT INTO alert_channels (owner_id, kind, state, name, url, preset, secret, created_at, free_at)
           VALUES ($1, 'webhook', 'on', 'sink', $2, 'json', $3, $4, $4)`,
          [id, `${sink.origin}/${owner}`, newSigningSecret(), now],
        )
      }
    },
    at: (next) => {
      steps.push(...Array.from({ length: sink.requests.length - steps.length }, () => step))
      step = next
    },
    arrivals: (owner) =>
      wayOf(owner) === 'push'
        ? pushed.get(owner)!
        : sink.requests.flatMap(({ path, headers, body }, index) => {
            if (path !== `/${owner}`) return []
            const { data } = JSON.parse(body) as { data: { event_id?: string; alerts?: { event_id: string }[] } }
            const events = data.alerts?.map(({ event_id }) => event_id) ?? [data.event_id!]
            return [{ step: steps[index] ?? step, id: String(headers['webhook-id']), events }]
          }),
    stop: async () => {
      await Promise.all([service.stop(), sink.stop()])
    },
  }
}
