import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export const BOT_TOKEN = '123456:stand-in-of-a-bot-token'

interface Update {
  readonly update_id: number
  readonly [what: string]: unknown
}

interface SaidToChat {
  readonly chat_id: string
  readonly text: string
}

/**
 * Telegram's Bot API as far as a bot that sends alerts uses it, with its state: updates are kept until a later offset confirms
 * them, one process at a time may poll, and a chat that has blocked the bot refuses everything.
 */
export interface TelegramStandIn {
  readonly variables: Readonly<Record<'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_API_URL', string>>
  /** Messages that arrived in chats, oldest first. */
  readonly said: readonly SaidToChat[]
  /** Calls that came while another poll was open. */
  readonly conflicts: () => number
  /** A chat sends the bot a message. */
  write(chat: object & { readonly id: number }, text: string): void
  block(chat: object & { readonly id: number }): void
  /** The next messages are refused with 429 and this many seconds; null: taken. */
  slowDown(seconds: number | null): void
  stop(): Promise<void>
}

export async function startTelegram(): Promise<TelegramStandIn> {
  const said: SaidToChat[] = []
  const blocked = new Set<string>()
  let updates: Update[] = []
  let next = 1
  let pause: number | null = null
  let polls = 0
  let conflicts = 0
  let wake: () => void = () => undefined
  const tell = (update: object) => {
    updates.push({ update_id: next++, ...update })
    wake()
  }

  async function poll({ offset, timeout }: { offset: number; timeout: number }, answer: Answer): Promise<void> {
    // Telegram ends the older poll as well; refusing the newer one says the same.
    if (polls > 0) {
      conflicts += 1
      return answer(409, { description: 'Conflict: terminated by other getUpdates request' })
    }
    updates = updates.filter(({ update_id }) => update_id >= offset)
    if (updates.length === 0) {
      polls += 1
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, timeout * 1000).unref()
      })
      polls -= 1
    }
    answer(200, { result: updates })
  }

  function send({ chat_id, text }: SaidToChat, answer: Answer): void {
    if (pause !== null) return answer(429, { description: 'Too Many Requests', parameters: { retry_after: pause } })
    if (blocked.has(chat_id)) return answer(403, { description: 'Forbidden: bot was blocked by the user' })
    said.push({ chat_id, text })
    answer(200, { result: { message_id: said.length } })
  }

  const server = createServer((request, response) => {
    const answer = answerTo(response)
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    if (token !== BOT_TOKEN) return answer(401, { description: 'Unauthorized' })
    void json(request).then(async (body) => {
      response.on('close', () => method === 'getUpdates' && !response.writableEnded && wake())
      if (method === 'getMe') answer(200, { result: { id: 1, is_bot: true, username: 'ratio_bot' } })
      else if (method === 'getUpdates') await poll(body as { offset: number; timeout: number }, answer)
      else if (method === 'sendMessage') send(body as SaidToChat, answer)
      else answer(404, { description: 'Not Found' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    variables: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_URL: `http://127.0.0.1:${port}` },
    said,
    conflicts: () => conflicts,
    write: (chat, text) => tell({ message: { chat, text } }),
    block: (chat) => {
      blocked.add(String(chat.id))
      tell({ my_chat_member: { chat, new_chat_member: { status: 'kicked' } } })
    },
    slowDown: (seconds) => {
      pause = seconds
    },
    stop: async () => {
      wake()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

type Answer = (status: number, body: object) => void

const answerTo =
  (response: ServerResponse): Answer =>
  (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: status === 200, error_code: status, ...body }))
  }
