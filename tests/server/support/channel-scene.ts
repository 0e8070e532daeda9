import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { alert_channels, channel_deliveries } from '../../../server/db/schema/channels'
import { type ChannelSender, channelSender } from '../../../server/services/channels/send'
import { deliverToChannels } from '../../../server/services/channels/deliver'
import { fanOut } from '../../../server/services/push/delivery-queue'
import type { Channel } from '../../../src/contract/channels'
import type { ErrorBody } from '../../../src/contract/errors'
import { startWebhookSink, type WebhookSink } from '../../support/webhook-sink'
import { recordCrossing } from './crossings'
import { key, type Person } from './person'
import type { Guest } from './guest'
import { testApp, type TestApp } from './test-app'
import { testClock } from './test-clock'

/* A guest with one pair, a receiver of webhooks, and what sends to it; made anew for each test. */

export let sink: WebhookSink
export let server: TestApp
let sender: ChannelSender
export let me: Guest
export let widget: string

/** @param more environment besides; read once the scene is set */
export function setChannelScene(
  more: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>> = () => ({}),
): void {
  beforeAll(async () => {
    sink = await startWebhookSink()
    const env = { WEBHOOK_ALLOWED_HOSTS: sink.host, ...(await more()) }
    const clock = testClock()
    server = await testApp({ env, clock })
    sender = channelSender(server.env, { clock })
  })
  afterAll(async () => {
    sender.close()
    await Promise.all([server.close(), sink.stop()])
  })
  beforeEach(async () => {
    sink.requests.length = 0
    sink.reply({ status: 204 })
    me = server.guest()
    widget = await pairOf(me)
  })
  afterEach(() => server.reset())
}

/** A pair whose alerts are on. */
export async function pairOf(owner: Person): Promise<string> {
  const { id } = await owner.add('bitcoin', 'ethereum')
  await owner.update(id, { notifications_enabled: true, high_threshold: 21 })
  return id
}

export const deliver = async (): Promise<void> => {
  await fanOut(server.database, server.clock())
  await deliverToChannels({ database: server.database, env: server.env, sender, clock: server.clock })
}
export const crossing = (change: Parameters<typeof recordCrossing>[3] = {}, of = widget) =>
  recordCrossing(server.database, of, server.clock(), change)
export const outcomes = async () => (await server.rows(channel_deliveries)).map(({ outcome }) => outcome).toSorted()
export const channelRow = async () => (await server.rows(alert_channels))[0]!

export type AnsweredChannel = Channel & ErrorBody

/** Adds a channel and expects that to work. */
export async function addChannel(body: object, owner: Person = me): Promise<Channel> {
  const { status, body: made } = await owner.ask<AnsweredChannel>('POST', '/alerts/channels', body, key(undefined))
  expect([status, made.error_code]).toEqual([201, undefined])
  return made
}
export const webhook = (preset = 'json', path = '/hook'): Promise<Channel> =>
  addChannel({ kind: 'webhook', url: `${sink.origin}${path}`, preset })
export const channelsOf = async (owner: Person = me) => (await owner.ask<Channel[]>('GET', '/alerts/channels')).body
