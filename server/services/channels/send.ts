import { parseRetryAfter } from '../../../src/domain/waits'
import { type GuardedPost, guardedPost, type GuardedPostDeps } from '../../adapters/guarded-post'
import { type PushHosts, webhookHosts } from '../../adapters/push/push-hosts'
import { type TelegramBot, telegramBot } from '../../adapters/telegram'
import type { Env } from '../../env'
import { CHANNEL_TIMEOUT_MS, type ChannelTarget } from './channel-queue'
import { type ChannelMessage, linesWithin, webhookRequest } from './webhook-message'

/** Outcome of a message. Reasons are for the channel's owner: a status or a code. */
export type Sent =
  | { readonly kind: 'sent' }
  /** @param retryAfter milliseconds that the receiver asks for; null: it does not say */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfter: number | null }
  /** The receiver wants nothing more. */
  | { readonly kind: 'ended'; readonly reason: string }

/** Brings messages to webhooks and chats. */
export interface ChannelSender {
  /** Never rejects. */
  send(channel: ChannelTarget, message: ChannelMessage): Promise<Sent>
  /** Why no webhook may have this address, as a code; null: it may. */
  refusalOf(address: string): Promise<string | null>
  /** Null: the operator has no bot. */
  readonly bot: TelegramBot | null
  close(): void
}

type SenderEnv = Pick<Env, 'WEBHOOK_ALLOWED_HOSTS' | 'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_API_URL'>

export function channelSender(env: SenderEnv, deps: Omit<GuardedPostDeps, 'timeout'>): ChannelSender {
  const hosts = webhookHosts(env.WEBHOOK_ALLOWED_HOSTS)
  const web = guardedPost({ ...deps, timeout: CHANNEL_TIMEOUT_MS })
  const token = env.TELEGRAM_BOT_TOKEN
  const bot = token === undefined ? null : telegramBot(token, env.TELEGRAM_API_URL)
  return {
    send: (channel, message) =>
      channel.kind === 'telegram'
        ? sendToChat(bot, channel, message)
        : postToWebhook(web, hosts, channel, message, deps.clock),
    refusalOf: async (address) => {
      const admitted = hosts(address)
      return admitted === null ? 'NOT_ALLOWED' : web.refusalOf(admitted)
    },
    bot,
    close: web.close,
  }
}

async function postToWebhook(
  web: GuardedPost,
  hosts: PushHosts,
  channel: ChannelTarget,
  message: ChannelMessage,
  clock: () => number,
): Promise<Sent> {
  const { url, headers, body } = webhookRequest(channel, message, clock())
  const admitted = hosts(url)
  if (admitted === null) return { kind: 'failed', reason: 'NOT_ALLOWED', retryAfter: null }
  const answer = await web.post(admitted, { headers, body })
  if (answer.kind === 'unanswered') return { kind: 'failed', reason: answer.why, retryAfter: null }
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const reason = `answered ${status}`
  if (status === 410) return { kind: 'ended', reason }
  return { kind: 'failed', reason, retryAfter: parseRetryAfter(retryAfter, clock()) }
}

/** Characters of one message. */
const TELEGRAM_TEXT = 4096

async function sendToChat(
  bot: TelegramBot | null,
  { chat_id }: ChannelTarget,
  { lines, url }: ChannelMessage,
): Promise<Sent> {
  if (bot === null) return { kind: 'failed', reason: 'NO_BOT', retryAfter: null }
  const text = linesWithin([...lines, url], TELEGRAM_TEXT)
  const said = { chat_id, text, link_preview_options: { is_disabled: true } }
  const answer = await bot.call('sendMessage', said, CHANNEL_TIMEOUT_MS)
  switch (answer.kind) {
    case 'done':
      return { kind: 'sent' }
    case 'unanswered':
      return { kind: 'failed', reason: answer.why, retryAfter: null }
    case 'refused': {
      const { status, description, retryAfter } = answer
      if (status === 403) return { kind: 'ended', reason: 'blocked' }
      if (status === 400 && /chat not found/i.test(description)) return { kind: 'ended', reason: 'chat not found' }
      return {
        kind: 'failed',
        reason: `answered ${status}`,
        retryAfter: retryAfter === null ? null : retryAfter * 1000,
      }
    }
  }
}
