import { connect, type Socket } from 'node:net'

/** A stream as a client asks for it. */
export interface AskedStream {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The outcome of a request for a stream; `seconds`: the Retry-After of a refusal, 0 without. */
export type Begun =
  | { readonly kind: 'open'; readonly socket: Socket; readonly head: string }
  | { readonly kind: 'refused'; readonly status: string; readonly seconds: number }

/** Opens a stream by a plain socket. Resolves with its first event; rejects if the server cannot be reached. */
export const beginStream = (origin: URL, { path, headers }: AskedStream): Promise<Begun> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: origin.hostname, port: Number(origin.port) }, () => {
      const lines = Object.entries({ host: origin.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`GET ${path} HTTP/1.1\r\naccept: text/event-stream\r\n${lines.join('')}\r\n`)
    })
    const read = (chunk: Buffer) => {
      const head = chunk.toString('latin1')
      if (!head.startsWith('HTTP/1.1 200')) {
        socket.destroy()
        const seconds = Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 0)
        resolve({ kind: 'refused', status: head.slice(9, 12), seconds })
      } else if (head.includes('event: open')) {
        socket.off('data', read)
        resolve({ kind: 'open', socket, head })
      }
    }
    socket.on('data', read)
    // A stream that breaks off later says so by `close`.
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection was closed before the first event.')))
  })
