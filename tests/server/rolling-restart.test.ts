import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ServerProcess, startServer } from './support/server-process'
import { openStream } from './support/stream-client'
import { newGuest } from './support/guest'
import { emptyDatabase } from './support/test-storage'
import { Agent, createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeTimer } from '../../server/waits'

/** A small reverse proxy that asks /readyz and sends no request twice. */
interface Balancer {
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

async function startBalancer(): Promise<Balancer> {
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

/** Two server processes on one PostgreSQL behind a balancer, which asks /readyz; one after the other gets a SIGTERM. */
const url = process.env['TEST_DATABASE_URL'] ?? ''
const ROUNDS = Number(process.env['RESTARTS'] ?? 4)
const WORKERS = 24
const STREAMS = 10

test.skipIf(url === '')(
  'servers that are stopped one after the other under load cut no request, and their streams end with bye',
  { tags: ['full'] },
  async () => {
    const storage = await emptyDatabase(url)
    const variables = { ...storage.variables, SHUTDOWN_GRACE_SECONDS: '1' }
    const balancer = await startBalancer()
    const servers: ServerProcess[] = []
    const begin = async () => {
      const server = await startServer(variables)
      servers.push(server)
      balancer.add(server.url)
    }
    await begin()
    await begin()
    await balancer.ready(2)

    const work = new AbortController()
    let answered = 0
    const wrong: string[] = []
    const worker = async () => {
      const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
      const send = async (method: string, path: string, body?: unknown) => {
        const answer = await fetch(`${balancer.url}/api/v1${path}`, {
          method,
          headers: { ...headers, ...(method !== 'GET' && { 'idempotency-key': randomUUID() }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.ok) answered += 1
        else wrong.push(`${method} ${path}: ${answer.status} ${text}`)
        return JSON.parse(text) as { id: string }
      }
      try {
        const { id } = await send('POST', '/widgets', { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })
        for (let n = 1; !work.signal.aborted; n++) {
          await send('PUT', `/widgets/${id}`, { high_threshold: 100 + n })
          await send('GET', '/widgets')
        }
      } catch (error) {
        wrong.push(String(error))
      }
    }
    const workers = Array.from({ length: WORKERS }, worker)
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const streams = await Promise.all(
          Array.from({ length: STREAMS }, () => openStream(balancer.url, { 'x-anonymous-user-id': newGuest() })),
        )
        await Promise.all(streams.map((stream) => stream.next('open')))
        const leaving = servers.shift()!
        expect(await leaving.end('SIGTERM')).toEqual({ code: 0 })
        balancer.remove(leaving.url)
        expect(streams.filter((stream) => stream.of('bye').length === 1).length).toBeGreaterThan(0)
        for (const stream of streams) stream.close()
        await begin()
        await balancer.ready(2)
      }
    } finally {
      work.abort()
      await Promise.all(workers)
      await balancer.close()
      for (const server of servers) await server.end('SIGKILL')
      await storage.remove()
    }
    console.log(`${answered} requests answered over ${ROUNDS} restarts`)
    expect(wrong).toEqual([])
    expect(balancer.cut.filter((what) => !what.includes('/stream'))).toEqual([])
    expect(answered).toBeGreaterThan(ROUNDS * WORKERS)
  },
)
