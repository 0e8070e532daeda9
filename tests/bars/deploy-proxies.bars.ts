import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { freePort } from '../e2e/support/free-port'
import { newGuest } from '../server/support/guest'
import { type ServerProcess, startServer } from '../server/support/server-process'
import { emptyDatabase } from '../server/support/test-storage'
import { caddyFile, findProgram, nginxFile, type ProxyPlace } from '../support/proxies'

/*
 * A real nginx and a real Caddy with the files of deploy/ in front of two server processes on one PostgreSQL, over TLS with a
 * certificate of our own, on this machine's addresses alone.
 */
const database = process.env['TEST_DATABASE_URL'] ?? ''

/** Requests a second, of so many users, each at an address of its own; how long each phase is under load, milliseconds. */
const RATE = 100
const USERS = 25
const PHASE_MS = 10_000

const PROXIES = [
  { name: 'nginx', write: nginxFile, args: (file: string) => ['-e', 'stderr', '-c', file] },
  { name: 'caddy', write: caddyFile, args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file] },
]

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}
interface Asked {
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A browser's side of the proxy: each address of a user keeps connections of its own. */
function client(port: number, ca: string) {
  const agents = new Map<string, Agent>()
  const open = (method: string, path: string, { from = '127.0.0.1', headers = {}, body }: Asked) => {
    const agent = agents.get(from) ?? new Agent({ keepAlive: true, ca, localAddress: from })
    agents.set(from, agent)
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const asking = request({
      host: 'localhost',
      port,
      method,
      path,
      agent,
      family: 4,
      headers: { ...json, ...headers },
    })
    asking.end(body === undefined ? undefined : JSON.stringify(body))
    return asking
  }
  const ask = async (method: string, path: string, asked: Asked = {}): Promise<Answer> => {
    const asking = open(method, path, asked)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text }
  }
  return { open, ask, close: () => agents.forEach((agent) => agent.destroy()) }
}
type Client = ReturnType<typeof client>

/** Users who change and read their pair, until told to stop; all that was not answered with 2xx. */
function load({ ask }: Client) {
  const ending = new AbortController()
  const wrong: string[] = []
  let answered = 0
  let again = 0
  const user = async (_: unknown, number: number) => {
    const from = `127.0.1.${number + 1}`
    const headers = { 'x-anonymous-user-id': newGuest() }
    /** As the app's outbox: what failed is sent again with the same key, and must be answered then. */
    const send = async (method: string, path: string, body?: unknown): Promise<string> => {
      const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
      for (let tries = 0; ; tries++) {
        const answer = await ask(method, `/api/v1${path}`, { from, body, headers: { ...headers, ...key } }).catch(
          (error: unknown) => ({ status: 0, text: String(error) }),
        )
        if (answer.status >= 200 && answer.status < 300) {
          answered += 1
          return answer.text
        }
        wrong.push(`${method}: ${answer.status} ${answer.text}`)
        if (tries === 20) throw new Error(`${method} ${path} is not answered: ${answer.text}`)
        again += 1
        await delay(500)
      }
    }
    const pair = await send('POST', '/widgets', { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })
    const { id } = JSON.parse(pair) as { id: string }
    for (let n = 1; !ending.signal.aborted; n++) {
      const next = delay((2 * USERS * 1000) / RATE)
      await send('PUT', `/widgets/${id}`, { high_threshold: 100 + n })
      const board = await send('GET', '/widgets')
      if (!board.includes(`"high_threshold":${100 + n}`))
        wrong.push(`PUT: ${100 + n} was acknowledged and is not there`)
      await next
    }
  }
  const users = Promise.all(Array.from({ length: USERS }, user))
  return {
    stop: async () => {
      ending.abort()
      await users
      return { answered, again, wrong }
    },
  }
}

/** Reads a stream; the times at which its events came. */
async function readStream({ open }: Client, guest: string) {
  const asking = open('GET', '/api/v1/stream', { headers: { 'x-anonymous-user-id': guest } })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  let text = ''
  let hasEnded = false
  answer.on('data', (chunk) => (text += String(chunk))).on('close', () => (hasEnded = true))
  answer.on('error', () => undefined)
  return { status: answer.statusCode, text: () => text, hasEnded: () => hasEnded, close: () => asking.destroy() }
}

async function startProxy(program: string, args: readonly string[], home: string, port: number) {
  const child: ChildProcess = spawn(program, args, { env: { PATH: process.env['PATH'], HOME: home } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  await vi.waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`)
    await new Promise<void>((resolve, reject) => {
      request({ host: 'localhost', port, family: 4, rejectUnauthorized: false }, (answer) => {
        answer.resume()
        resolve()
      })
        .on('error', reject)
        .end()
    })
  })
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { stop, output: () => output }
}

/** Operators' pages in every spelling that a proxy or a server may take for theirs. */
const CLOSED = [
  '/metrics',
  '/readyz',
  '//metrics',
  '/%6Detrics',
  '/./readyz',
  '/x/../metrics',
  '/metrics?x=1',
  '/metrics/',
]

for (const { name, write, args } of PROXIES) {
  const program = findProgram(name)
  test.skipIf(database === '' || program === null)(
    `${name} in front of two processes: events at once, calls counted by user, operators' pages closed, no error while one process is replaced`,
    async () => {
      const storage = await emptyDatabase(database)
      const folder = mkdtempSync(join(tmpdir(), `${name}-`))
      const [http, https, first, second] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
      const place: ProxyPlace = { folder, http, https, upstreams: [first, second] }
      const { file, ca } = write(place)
      const begin = (port: number) =>
        startServer({
          ...storage.variables,
          PORT: String(port),
          PUBLIC_URL: `https://localhost:${https}`,
          SHUTDOWN_GRACE_SECONDS: '5',
          RATE_LIMIT_FACTOR: '1',
        })
      const servers: ServerProcess[] = [await begin(first), await begin(second)]
      const proxy = await startProxy(program ?? '', args(file), folder, https)
      const user = client(https, ca)
      try {
        expect((await user.ask('GET', '/')).text).toContain('error_code')
        for (const path of CLOSED) {
          const { status, text } = await user.ask('GET', path)
          expect(text, path).not.toMatch(/process_cpu|"database"/)
          expect(status, path).toBeGreaterThanOrEqual(400)
        }
        expect((await user.ask('GET', '/healthz')).status).toBe(200)

        // A change arrives on the stream of its owner, whichever process has which.
        const guest = newGuest()
        const stream = await readStream(user, guest)
        expect(stream.status).toBe(200)
        await vi.waitFor(() => expect(stream.text()).toContain('event: open'))
        const seen = stream.text().length
        const begun = performance.now()
        const headers = { 'x-anonymous-user-id': guest, 'idempotency-key': randomUUID() }
        const body = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }
        expect((await user.ask('POST', '/api/v1/widgets', { headers, body })).status).toBe(201)
        await vi.waitFor(() => expect(stream.text().length).toBeGreaterThan(seen), { interval: 5, timeout: 5000 })
        const eventAfter = performance.now() - begun

        // Sixty tries a minute for a password, over all processes; no header of a client makes it another address.
        const guess = async (from: string, forged: Readonly<Record<string, string>>) =>
          (await user.ask('POST', '/api/v1/auth/login', { from, headers: forged, body: {} })).status
        for (let n = 0; n < 60; n++) expect(await guess('127.0.2.1', {})).toBe(422)
        for (const forged of [{}, { 'x-forwarded-for': '198.51.100.7' }, { forwarded: 'for=198.51.100.7' }]) {
          expect(await guess('127.0.2.1', forged)).toBe(429)
        }
        expect(await guess('127.0.2.2', {})).toBe(422)

        // One process after the other is stopped and started, as an upgrade does.
        const rolling = load(user)
        await delay(PHASE_MS / 5)
        for (const [index, port] of [first, second].entries()) {
          await servers[index]!.end('SIGTERM')
          await delay(PHASE_MS / 5)
          servers[index] = await begin(port)
          await delay(PHASE_MS / 5)
        }
        const replaced = await rolling.stop()
        expect(replaced.wrong, proxy.output()).toEqual([])

        // One dies without a word.
        const killing = load(user)
        await delay(PHASE_MS / 5)
        await servers[0]!.end('SIGKILL')
        await delay(PHASE_MS)
        const killed = await killing.stop()
        expect(killed.wrong.filter((what) => what.startsWith('GET') || what.includes('is not there'))).toEqual([])
        // Bodies that were on their way, and with Caddy those of the second until it asks /healthz again.
        expect(killed.wrong.length).toBeLessThanOrEqual(4 * USERS)

        // With none left the proxy says so in the API's words, and when to come again.
        await servers[1]!.end('SIGKILL')
        await vi.waitFor(() => expect(stream.hasEnded()).toBe(true))
        const away = await user.ask('GET', '/api/v1/config')
        expect(away).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
        expect(JSON.parse(away.text)).toMatchObject({ error_code: 'INTERNAL_ERROR' })
        console.log(
          `${name}: a change was on its stream after ${eventAfter.toFixed(0)} ms; two processes replaced under ${RATE} requests/s: ` +
            `${replaced.answered} answered, ${replaced.wrong.length} wrong; one killed: ${killed.answered} answered, ` +
            `${killed.wrong.length} sent again (${killed.wrong.slice(0, 3).join('; ')})`,
        )
      } finally {
        user.close()
        await proxy.stop()
        for (const server of servers) await server.end('SIGKILL')
        await storage.remove()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
}
