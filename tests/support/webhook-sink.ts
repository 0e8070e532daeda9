import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** `nothing`: the connection stays open, and silent. `hang-up`: it ends. */
export type SinkReply =
  | 'nothing'
  | 'hang-up'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

/** A request as it arrived. */
export interface SunkRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The receiver of webhooks: keeps what it is sent, and has its bad days. */
export interface WebhookSink {
  readonly origin: string
  /** For WEBHOOK_ALLOWED_HOSTS. */
  readonly host: string
  readonly requests: SunkRequest[]
  /** From now on each request gets this answer. */
  reply(reply: SinkReply): void
  stop(): Promise<void>
}

export async function startWebhookSink(): Promise<WebhookSink> {
  const requests: SunkRequest[] = []
  let reply: SinkReply = { status: 204 }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answer = reply
      requests.push({ path: request.url ?? '', headers: request.headers, body: body.toString() })
      if (answer === 'hang-up') request.socket.destroy()
      else if (answer !== 'nothing') response.writeHead(answer.status, answer.headers).end('no')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${host}`,
    host,
    requests,
    reply: (next) => {
      reply = next
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
