import { randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { vapidRefusal } from './vapid'

/** Limits of a push service for one subscription. */
export interface PushChannel {
  readonly endpoint: string
  /** Status of the answer to each request so far, oldest first. */
  readonly answers: readonly number[]
  /** When each request arrived, milliseconds since 1970. */
  readonly arrivals: readonly number[]
  /** From now on there is no such subscription: 410. */
  forget(): void
  /** From now on each request gets this answer, or the one made for it, whatever it is; null: what it deserves. */
  reply(reply: PushReply | null | (() => PushReply | null)): void
}

/** `nothing`: the connection stays open, and silent. `hang-up`: it ends. */
export type PushReply =
  | 'nothing'
  | 'hang-up'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

interface ChannelOptions {
  /** The applicationServerKey, base64url; null: anybody may send. */
  readonly vapidKey: string | null
  /** Called with each message that was accepted, still encrypted. */
  readonly onMessage: (body: Buffer, headers: IncomingHttpHeaders) => void
}

/** The side of a push service that application servers post to (RFC 8030), with VAPID (RFC 8292). */
export interface PushService {
  readonly origin: string
  /** For PUSH_ALLOWED_HOSTS. */
  readonly host: string
  readonly server: Server
  channel(options: ChannelOptions): PushChannel
  stop(): Promise<void>
}

interface Known extends ChannelOptions {
  readonly answers: number[]
  readonly arrivals: number[]
  reply: PushReply | null | (() => PushReply | null)
}

/** Bytes of the largest message that the known push services take (RFC 8030, 7.2). */
const MAX_BODY_BYTES = 4096

export async function startPushService(): Promise<PushService> {
  const channels = new Map<string, Known>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = `http://${host}`
  /** Statuses of what is gone go on being counted. */
  const gone = new Map<string, number[]>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const channel = channels.get(path)
    channel?.arrivals.push(Date.now())
    const reply = typeof channel?.reply === 'function' ? channel.reply() : (channel?.reply ?? null)
    if (reply === 'nothing') return
    if (reply === 'hang-up') {
      request.socket.destroy()
      return
    }
    const status = reply?.status ?? (await verdict(request, path, body))
    channels.get(path)?.answers.push(status)
    gone.get(path)?.push(status)
    if (reply !== null) {
      response.writeHead(status, reply.headers).end()
      return
    }
    response.writeHead(status, status === 201 ? { location: `${origin}${path}/sent` } : {}).end()
    if (status === 201) channels.get(path)?.onMessage(body, request.headers)
  }

  async function verdict({ method, headers }: IncomingMessage, path: string, body: Buffer): Promise<number> {
    const channel = channels.get(path)
    if (channel === undefined) return gone.has(path) ? 410 : 404
    if (method !== 'POST') return 405
    if (body.length > MAX_BODY_BYTES) return 413
    if (!/^\d+$/.test(headers.ttl?.toString() ?? '') || headers['content-encoding'] !== 'aes128gcm') return 400
    return channel.vapidKey === null
      ? 201
      : ((await vapidRefusal(headers.authorization, origin, channel.vapidKey)) ?? 201)
  }

  return {
    origin,
    host,
    server,
    channel(options) {
      const path = `/push/${randomBytes(24).toString('base64url')}`
      const known: Known = { ...options, answers: [], arrivals: [], reply: null }
      const { answers, arrivals } = known
      channels.set(path, known)
      return {
        endpoint: `${origin}${path}`,
        answers,
        arrivals,
        reply(reply) {
          known.reply = reply
        },
        forget() {
          channels.delete(path)
          gone.set(path, answers)
        },
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
