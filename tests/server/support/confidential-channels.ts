import { type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { expect } from 'vitest'
import { channelSender } from '../../../server/services/channels/send'
import { deliverToChannels } from '../../../server/services/channels/deliver'
import { telegramJob } from '../../../server/services/channels/link-chats'
import { startJobs } from '../../../server/jobs/periodic'
import { fanOut } from '../../../server/services/push/delivery-queue'
import type { Channel } from '../../../src/contract/channels'
import type { SinkReply, WebhookSink } from '../../support/webhook-sink'
import { addChannel, channelsOf, pairOf } from './channel-scene'
import { recordCrossing } from './crossings'
import { key } from './person'
import type { TelegramStandIn } from './telegram-stand-in'
import type { TestApp } from './test-app'

/** The receivers, where the log goes, and how the test remembers its secrets and fails statements about a table. */
interface Confidential {
  readonly sink: WebhookSink
  readonly telegram: TelegramStandIn
  readonly logger: FastifyBaseLogger
  /** Remembers a value that no log line may contain, and returns the value. */
  readonly secret: (name: string, value: string) => string
  readonly without: (table: string, work: () => Promise<void>) => Promise<void>
}

/** Webhooks and a chat, whose receivers answer in several ways, and what a database that fails says of them. */
export async function useChannels(
  server: TestApp,
  { sink, telegram, logger, secret, without }: Confidential,
): Promise<void> {
  const me = server.guest()
  const widget = await pairOf(me)
  const deps = { database: server.database, env: server.env, clock: server.clock, logger }
  const sender = channelSender(server.env, deps)
  const execute = (statement: SQL) => server.database.orm.execute(statement)
  let epoch = 1
  const tell = async () => {
    await recordCrossing(server.database, widget, server.clock(), { epoch: epoch++ })
    await fanOut(server.database, server.clock())
    await deliverToChannels({ ...deps, sender })
  }
  const bearer = secret('token of a protected topic', 'tk_of-a-protected-topic')
  const asked = [
    { preset: 'json', url: `${sink.origin}${secret('path of a webhook', '/a-path-that-only-its-owner-knows')}` },
    { preset: 'ntfy', url: `${sink.origin}/${secret('topic of ntfy', 'a-topic-that-nobody-guesses')}`, bearer },
  ]
  for (const way of asked) {
    const body = { kind: 'webhook', ...way }
    await execute(sql`ALTER TABLE alert_channels ADD CONSTRAINT refused CHECK (false) NOT VALID`)
    await me.ask('POST', '/alerts/channels', body, key(undefined))
    await execute(sql`ALTER TABLE alert_channels DROP CONSTRAINT refused`)
    secret(`signing secret, ${way.preset}`, (await addChannel(body, me)).secret ?? '')
  }
  const elsewhere = `https://127.0.0.1/${secret('path of a refused webhook', 'a-path-inside-of-a-network')}`
  await me.ask('POST', '/alerts/channels', { kind: 'webhook', preset: 'json', url: elsewhere }, key(undefined))

  const chat = { id: 77_123_456_789, first_name: secret('name of a chat', 'Confidential Lovelace') }
  secret('chat id', String(chat.id))
  const { id, link = '' } = await addChannel({ kind: 'telegram' }, me)
  const code = secret('code of a link', new URL(link).searchParams.get('start') ?? '')
  const jobs = await startJobs(deps, [telegramJob({ ...deps, bot: sender.bot! })])
  telegram.write(chat, `/start ${code}`)
  const named = async () => (await channelsOf(me)).find((way: Channel) => way.id === id)?.name
  await expect.poll(named, { timeout: 20_000, interval: 20 }).toBe(chat.first_name)
  await jobs.stop()
  await me.ask('PUT', `/alerts/channels/${id}`, { state: 'on' }, key(undefined))

  const replies: SinkReply[] = [{ status: 204 }, { status: 500 }, { status: 302 }, 'hang-up', { status: 410 }]
  for (const reply of replies) {
    sink.reply(reply)
    await tell()
    for (const way of await channelsOf(me)) await me.ask('POST', `/alerts/channels/${way.id}/test`, {})
    server.clock.advance(3_600_000)
  }
  telegram.block(chat)
  await without('channel_deliveries', () => expect(tell()).rejects.toThrow())
  await tell()
  sender.close()
}
