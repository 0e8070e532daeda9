import { request as forward, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ERROR_STATUS, type ErrorCode } from '../../../src/contract/errors'
import { originOf } from './app-server'

/** `refuse`: a request never reaches the server; a refusal: the API's own answer to what it does not accept. */
type Fate = 'pass' | 'refuse' | Refusal
interface Refusal {
  readonly error_code: ErrorCode
  readonly detail: string
}

/** One request as rules see it. */
export interface Asked {
  readonly method: string
  readonly path: string
}

/** An HTTP proxy between browser and server, as bad as the rule makes it. */
export interface FaultyProxy {
  readonly origin: string
  /** Decides on each request; `pass` for all until a test sets it. */
  rule: (asked: Asked) => Fate
  /** Called when the server's answer to a request is there, before it is passed on. */
  onAnswer: (asked: Asked) => void | Promise<void>
  /** Says what becomes of the text of an answer that is passed on; null: nothing. */
  rewrite: (asked: Asked) => ((text: string) => string) | null
  stop(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((request, response) => void handle(request, response))
  const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await listening
  const proxy: FaultyProxy = {
    // The server's own site: the sandbox turns away whom a page of another site has led there.
    origin: originOf((server.address() as AddressInfo).port),
    rule: () => 'pass',
    onAnswer: () => undefined,
    rewrite: () => null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? '/'
    const asked = { method: request.method ?? 'GET', path }
    const fate = proxy.rule(asked)
    if (fate === 'refuse') {
      request.socket.destroy()
    } else if (typeof fate === 'object') {
      request.resume()
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      response.writeHead(ERROR_STATUS[fate.error_code], headers).end(JSON.stringify(fate))
    } else {
      try {
        const rewrite = proxy.rewrite(asked)
        // The proxy can rewrite an answer only if it comes whole and uncompressed.
        if (rewrite !== null) for (const name of ['accept-encoding', 'if-none-match']) delete request.headers[name]
        const answer = rewritten(await ask(request, new URL(path, target)), rewrite)
        await proxy.onAnswer(asked)
        response.writeHead(answer.status, answer.headers).end(answer.body)
      } catch {
        // The server is gone: so is the connection, as it would be without a proxy.
        request.socket.destroy()
      }
    }
  }
  return proxy
}

function rewritten(answer: WholeAnswer, rewrite: ((text: string) => string) | null): WholeAnswer {
  if (rewrite === null) return answer
  const { 'content-length': _length, etag: _etag, ...headers } = answer.headers
  return { ...answer, headers, body: Buffer.from(rewrite(answer.body.toString())) }
}

interface WholeAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

function ask(incoming: IncomingMessage, url: URL): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    // The browser's own Host and Origin: the server is not to notice.
    const outgoing = forward(url, { method: incoming.method, headers: incoming.headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) })
      })
    })
    outgoing.once('error', reject)
    incoming.pipe(outgoing)
  })
}
