import { Agent, createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HOUR } from '../../../src/domain/granularity'
import { nodeTimer } from '../../../server/waits'

/** A small reverse proxy that asks /readyz and sends no request twice. */
export interface Balancer {
  readonly url: string
  /** Requests that got no whole answer. */
  readonly cut: string[]
  /** Resolves when so many servers are ready. */
  ready(count: number): Promise<void>
  add(url: string): void
  remove(url: string): void
  close(): Promise<void>
}

interface Backend {
  readonly url: URL
  readonly agent: Agent
  isReady: boolean
}

/** Milliseconds from one probe of a server to the next. */
const PROBE_EVERY_MS = 50

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, Backend>()
  const cut: string[] = []
  let turn = 0
  let closed = false
  const waiting = new Set<() => void>()

  const probe = (key: string, backend: Backend): void => {
    if (closed || backends.get(key) !== backend) return
    const done = (isReady: boolean) => {
      backend.isReady = isReady
      for (const look of waiting) look()
      nodeTimer(PROBE_EVERY_MS, () => probe(key, backend))
    }
    const asking = ask(new URL('/readyz', backend.url), { agent: false }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode === 200))
    })
    asking.on('error', () => done(false)).end()
  }

  const server = createServer((from, to) => {
    const ready = [...backends.values()].filter(({ isReady }) => isReady)
    const backend = ready[turn++ % Math.max(1, ready.length)]
    const what = `${from.method} ${from.url}`
    if (backend === undefined) {
      cut.push(`${what}: no server is ready`)
      to.writeHead(502).end()
      return
    }
    // A connection that carries one request tells its cut from that of another.
    const { connection: _own, ...headers } = from.headers
    const onward = ask(
      new URL(from.url ?? '/', backend.url),
      { method: from.method, headers, agent: backend.agent },
      (answer) => {
        const { connection: _theirs, ...answered } = answer.headers
        to.writeHead(answer.statusCode ?? 502, answered)
        answer.pipe(to)
        answer.on('aborted', () => {
          cut.push(`${what}: the answer was cut`)
          to.destroy()
        })
      },
    )
    onward.on('error', (error) => {
      if (to.destroyed) return
      cut.push(`${what}: ${error.message}`)
      to.destroy()
    })
    to.on('close', () => {
      if (!to.writableFinished) onward.destroy()
    })
    from.pipe(onward)
  })
  // Longer than a test: a client's next request must not meet the end of its own connection to here.
  server.keepAliveTimeout = HOUR
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    ready: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if ([...backends.values()].filter(({ isReady }) => isReady).length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    add: (url) => {
      const backend = { url: new URL(url), agent: new Agent({ keepAlive: true }), isReady: false }
      backends.set(url, backend)
      probe(url, backend)
    },
    remove: (url) => {
      backends.get(url)?.agent.destroy()
      backends.delete(url)
    },
    close: async () => {
      closed = true
      for (const { agent } of backends.values()) agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
