import * as z from 'zod/mini'
import type { Route } from './route'
import { isoTime } from './scalars'

/** How an alert is written for the receiver of a webhook. */
const WEBHOOK_PRESETS = ['json', 'ntfy', 'discord', 'slack'] as const

const address = z.url({ protocol: /^https?$/, hostname: /./ }).check(z.maxLength(2048))
const preset = z.enum(WEBHOOK_PRESETS)
/** Sent as `Authorization: Bearer`, which ntfy's protected topics ask for. */
const bearer = z.string().check(z.regex(/^[\x21-\x7e]{1,512}$/))

const newChannel = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('email') }),
  z.strictObject({ kind: z.literal('webhook'), url: address, preset, bearer: z.optional(bearer) }),
  z.strictObject({ kind: z.literal('telegram') }),
])
export type NewChannel = z.infer<typeof newChannel>

/** A field that is absent stays; url, preset and bearer are a webhook's alone. */
const changedChannel = z.strictObject({
  state: z.optional(z.enum(['on', 'off'])),
  url: z.optional(address),
  preset: z.optional(preset),
  bearer: z.optional(z.nullable(bearer)),
})
export type ChangedChannel = z.infer<typeof changedChannel>

const channel = z.object({
  id: z.uuid(),
  kind: z.enum(['email', 'webhook', 'telegram']),
  /** The mail address, the webhook's host, or the chat's name; null: no chat has opened the link yet. */
  name: z.nullable(z.string()),
  /** Of webhooks alone. */
  preset: z.optional(preset),
  /** `failing`: on, and the last message failed. `ended`: its receiver wants nothing more. */
  state: z.enum(['on', 'off', 'failing', 'ended']),
  /** When it began to fail; null: the last message arrived, or none was sent. */
  failing_since: z.nullable(isoTime),
  last_success_at: z.nullable(isoTime),
  last_failure: z.nullable(z.object({ at: isoTime, reason: z.string() })),
  /** Signs a webhook's messages (Standard Webhooks); in the answer that made it alone. */
  secret: z.optional(z.string()),
  /** Opens a chat with the operator's bot, within five minutes; in the first answer alone. */
  link: z.optional(z.string()),
})
export type Channel = z.infer<typeof channel>

const params = z.object({ id: z.uuid().check(z.toLowerCase()) })

/** The ways beside web push by which an owner is told of crossings. */
export const channelRoutes = {
  listChannels: {
    method: 'GET',
    path: '/alerts/channels',
    identity: 'any',
    summary: "The caller's ways to be told of alerts beside web push, oldest first",
    answer: z.array(channel),
  },
  createChannel: {
    method: 'POST',
    path: '/alerts/channels',
    identity: 'any',
    summary: 'Adds a way to be told of alerts: mail (verified accounts), a webhook, or a chat of Telegram',
    body: newChannel,
    status: 201,
    whenGone: 204,
    answer: channel,
  },
  updateChannel: {
    method: 'PUT',
    path: '/alerts/channels/:id',
    identity: 'any',
    summary: 'Switches a way on or off, or changes a webhook; on confirms the chat that has opened the link',
    params,
    body: changedChannel,
    whenGone: 204,
    answer: channel,
  },
  deleteChannel: {
    method: 'DELETE',
    path: '/alerts/channels/:id',
    identity: 'any',
    summary: 'Removes a way; what waits for it is not sent',
    params,
    status: 204,
    answer: null,
  },
  testChannel: {
    method: 'POST',
    path: '/alerts/channels/:id/test',
    identity: 'any',
    summary: 'Sends a test; the answer has what came of it, of a mail once it has gone out',
    params,
    answer: channel,
  },
  rotateSecret: {
    method: 'POST',
    path: '/alerts/channels/:id/rotate',
    identity: 'any',
    summary: 'Gives a webhook another secret; both sign for 24 hours',
    params,
    answer: channel,
  },
} as const satisfies Record<string, Route>
