import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, gt } from 'drizzle-orm'
import * as z from 'zod'
import { MINUTE } from '../../../src/domain/granularity'
import type { TelegramBot } from '../../adapters/telegram'
import { alert_channels } from '../../db/schema/channels'
import { ApiError } from '../../http/api-error'
import type { JobsDeps, PeriodicJob } from '../../jobs/periodic'
import { hashOfSecret } from '../secrets'
import { endChat } from './record-message'

/** How long a link can be opened, milliseconds. */
const LINK_LIFETIME = 5 * MINUTE
/** Milliseconds for a call that answers at once. */
const CALL_TIMEOUT_MS = 10_000
/** Seconds that Telegram waits for something to tell. */
const POLL_SECONDS = 25
/** Milliseconds after a call that failed: another process may still poll (409). */
const RETRY_PAUSE_MS = 5_000

const me = z.object({ username: z.string() })

/**
 * A link that opens a chat with the bot, and columns of the channel that waits for that chat.
 * @throws ApiError VALIDATION_ERROR where there is no bot, TELEGRAM_UNAVAILABLE
 */
export async function newChatLink(bot: TelegramBot | null, now: number) {
  if (bot === null)
    throw new ApiError('VALIDATION_ERROR', 'Telegram is not set up on this server.', {
      errors: [{ path: 'body.kind', message: 'is not set up on this server' }],
    })
  const answer = await bot.call('getMe', {}, CALL_TIMEOUT_MS)
  const known = answer.kind === 'done' ? me.safeParse(answer.result) : null
  if (known?.success !== true)
    throw new ApiError('TELEGRAM_UNAVAILABLE', 'Telegram does not answer at the moment. Please try again later.')
  const code = randomBytes(16).toString('base64url')
  return {
    link: `https://t.me/${known.data.username}?start=${code}`,
    link_hash: hashOfSecret(code),
    link_expires_at: new Date(now + LINK_LIFETIME),
  }
}

const chat = z.object({
  id: z.number(),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
})
type Chat = z.infer<typeof chat>

const updates = z.array(
  z.object({
    update_id: z.number(),
    message: z.object({ chat, text: z.string().optional() }).optional(),
    my_chat_member: z.object({ chat, new_chat_member: z.object({ status: z.string() }) }).optional(),
  }),
)
type Update = z.infer<typeof updates>[number]

/** Such as "Ada Lovelace (@ada)". */
function nameOf({ title, first_name, last_name, username }: Chat): string {
  const name = title ?? [first_name, last_name].filter(Boolean).join(' ')
  const handle = username === undefined ? '' : `@${username}`
  if (name === '') return handle === '' ? 'a chat' : handle
  return handle === '' ? name : `${name} (${handle})`
}

interface ChatDeps extends JobsDeps {
  readonly bot: TelegramBot
}

/**
 * Listens to the bot's chats for as long as this process has the job: one process polls, by the same claim as the market's
 * prices (decision 0134). An update that a process has read and not confirmed is read again by the next.
 */
export const telegramJob = (deps: ChatDeps): PeriodicJob => ({
  name: 'telegram-chats',
  every: 5_000,
  run: async (signal) => {
    let offset = 0
    while (!signal.aborted) {
      const asked = { offset, timeout: POLL_SECONDS, allowed_updates: ['message', 'my_chat_member'] }
      const answer = await deps.bot.call('getUpdates', asked, (POLL_SECONDS + 10) * 1000, signal)
      if (signal.aborted) return
      const read = answer.kind === 'done' ? updates.safeParse(answer.result) : null
      if (read?.success !== true) {
        const said =
          answer.kind === 'refused' ? answer.status : answer.kind === 'unanswered' ? answer.why : 'unreadable'
        deps.logger?.warn({ answer: said }, 'Telegram gives no news of chats at the moment')
        // An abort ends the pause early.
        await delay(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined)
        continue
      }
      for (const update of read.data) {
        await takeUpdate(deps, update)
        offset = update.update_id + 1
      }
    }
  },
})

async function takeUpdate(deps: ChatDeps, { message, my_chat_member: member }: Update): Promise<void> {
  const { database, clock } = deps
  if (member !== undefined && ['kicked', 'left'].includes(member.new_chat_member.status))
    await endChat(database, String(member.chat.id), 'ended', clock())
  if (message?.text === undefined) return
  const code = /^\/start(?:@\w+)? ([\w-]{22})$/.exec(message.text)?.[1]
  if (code !== undefined) await linkChat(deps, code, message.chat)
  if (/^\/stop(@\w+)?$/.test(message.text)) {
    await endChat(database, String(message.chat.id), 'off', clock())
    await say(deps, message.chat, 'No more alerts are sent here.')
  }
}

/** Notes the chat; nothing is sent there before the channel's owner has seen its name and confirmed it in the app. */
async function linkChat(deps: ChatDeps, code: string, from: Chat): Promise<void> {
  const { database, clock } = deps
  const linked = await database.orm
    .update(alert_channels)
    .set({ chat_id: String(from.id), name: nameOf(from), link_hash: null, link_expires_at: null })
    .where(and(eq(alert_channels.link_hash, hashOfSecret(code)), gt(alert_channels.link_expires_at, new Date(clock()))))
    .returning({ id: alert_channels.id })
  const text =
    linked.length > 0
      ? 'Almost done: confirm this chat in the app, under Settings, Ways to reach you.'
      : 'This link was used, or is too old. Make another one in the app.'
  await say(deps, from, text)
}

async function say({ bot, logger }: ChatDeps, { id }: Chat, text: string): Promise<void> {
  const answer = await bot.call('sendMessage', { chat_id: String(id), text }, CALL_TIMEOUT_MS)
  if (answer.kind !== 'done') logger?.warn({ answer: answer.kind }, 'a chat could not be answered')
}
