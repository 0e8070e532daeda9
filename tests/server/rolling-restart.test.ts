import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ServerProcess, startServer } from './support/server-process'
import { openStream } from './support/stream-client'
import { newGuest } from './support/guest'
import { emptyDatabase } from './support/test-storage'
import { startBalancer } from './support/balancer'

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
