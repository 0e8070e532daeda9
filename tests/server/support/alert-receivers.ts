import type { Pool } from 'pg'
import { EVENT_KINDS } from '../../../server/db/schema/alerts'
import { newSigningSecret } from '../../../server/services/channels/webhook-message'
import { newSecret } from '../../../server/services/secrets'
import { deviceKeys } from '../../support/push-device'
import { startPushService } from '../../support/push-service'
import { startMailbox } from '../../support/mailbox'
import { startWebhookSink } from '../../support/webhook-sink'
import { startTelegram } from './telegram-stand-in'

/** A message as it arrived, again and again where it did. */
interface Arrival {
  readonly step: number
  /** The message's own name; of a push its first alert. */
  readonly id: string
  readonly events: readonly string[]
}

/** A chat or a mailbox: sentences, which name no event. */
export interface Heard {
  readonly step: number
  readonly text: string
  readonly alerts: number
}

/** Phones and webhooks of every fourth owner each, chats and mailboxes of every eighth. */
export interface Receivers {
  /** Variables of a process that sends to them. */
  readonly variables: Readonly<Record<string, string>>
  readonly pushHost: string
  /** The way in which an owner hears; null: by none. */
  wayOf(owner: number): 'push' | 'webhook' | 'telegram' | 'email' | null
  /** Gives the owners of these ids, in their order, their ways. */
  register(pool: Pool, owners: readonly string[], now: Date): Promise<void>
  /** Messages that arrive from now on arrive at this update. */
  at(step: number): void
  /** Of a phone or a webhook. */
  arrivals(owner: number): readonly Arrival[]
  /** Of a chat or a mailbox. */
  told(owner: number): readonly Heard[]
  stop(): Promise<void>
}

const WAYS = ['push', 'webhook', 'telegram', 'email', 'push', 'webhook', null, null] as const

const addressOf = (owner: number): string => `owner-${owner}@example.com`

/** Sentences in a message, each with its pair; the title of a mail of one alert is a pair alone. */
const alertsIn = (text: string): number =>
  text.split('\n').filter((line) => / \/ /.test(line) && !/^\S+ \/ \S+$/.test(line)).length +
  Number(/^and (\d+) more$/m.exec(text)?.[1] ?? 0)

export async function startReceivers(): Promise<Receivers> {
  const [service, sink, telegram, mailbox] = await Promise.all([
    startPushService(),
    startWebhookSink(),
    startTelegram(),
    startMailbox(),
  ])
  const pushed = new Map<number, Arrival[]>()
  let step = 0
  /** Updates at which requests, words in chats and mails came, by their places. */
  const steps = { webhook: [] as number[], telegram: [] as number[], email: [] as number[] }
  const wayOf = (owner: number) => WAYS[owner % WAYS.length]!
  const note = (): void => {
    for (const [way, { length }] of [
      ['webhook', sink.requests],
      ['telegram', telegram.said],
      ['email', mailbox.all()],
    ] as const)
      while (steps[way].length < length) steps[way].push(step)
  }

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
    variables: { ...telegram.variables, WEBHOOK_ALLOWED_HOSTS: sink.host, SMTP_URL: mailbox.url },
    pushHost: service.host,
    wayOf,
    register: async (pool, owners, now) => {
      for (const [owner, id] of owners.entries()) {
        if (wayOf(owner) === 'push') await registerPhone(pool, id, owner, now)
        const channel = {
          webhook: { url: `${sink.origin}/${owner}`, preset: 'json', secret: newSigningSecret(), chat_id: null },
          telegram: { url: null, preset: null, secret: null, chat_id: String(owner) },
          email: { url: null, preset: null, secret: newSecret(), chat_id: null },
          push: null,
          none: null,
        }[wayOf(owner) ?? 'none']
        if (channel === null) continue
        if (wayOf(owner) === 'email')
          await pool.query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, $3)', [
            id,
            addressOf(owner),
            now,
          ])
        await pool.query(
          `INSERT INTO alert_channels (owner_id, kind, state, name, url, preset, secret, chat_id, created_at, free_at)
           VALUES ($1, $2, 'on', 'sink', $3, $4, $5, $6, $7, $7)`,
          [id, wayOf(owner), channel.url, channel.preset, channel.secret, channel.chat_id, now],
        )
      }
    },
    at: (next) => {
      note()
      step = next
    },
    arrivals: (owner) =>
      wayOf(owner) === 'push'
        ? pushed.get(owner)!
        : sink.requests.flatMap(({ path, headers, body }, index) => {
            if (path !== `/${owner}`) return []
            const { data } = JSON.parse(body) as { data: { event_id?: string; alerts?: { event_id: string }[] } }
            const events = data.alerts?.map(({ event_id }) => event_id) ?? [data.event_id!]
            return [{ step: steps.webhook[index] ?? step, id: String(headers['webhook-id']), events }]
          }),
    told: (owner) =>
      wayOf(owner) === 'telegram'
        ? telegram.said.flatMap(({ chat_id, text }, index) =>
            chat_id === String(owner) ? [{ step: steps.telegram[index] ?? step, text, alerts: alertsIn(text) }] : [],
          )
        : mailbox
            .all()
            .flatMap(({ to, text }, index) =>
              to === addressOf(owner) ? [{ step: steps.email[index] ?? step, text, alerts: alertsIn(text) }] : [],
            ),
    stop: async () => {
      await Promise.all([service.stop(), sink.stop(), telegram.stop(), mailbox.stop()])
    },
  }
}
