import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runToEnd, type ServerProcess, startServer } from './support/server-process'
import { openStream } from './support/stream-client'
import { emptyFolder, readyFolder } from './support/test-storage'

/** The built server as a process, on the embedded database. */
const storage = emptyFolder()
let server: ServerProcess
beforeAll(async () => {
  server = await startServer(storage.variables)
})
afterAll(async () => {
  await server.end('SIGKILL')
  await storage.remove()
})

test('the server process prints its localhost URL on a new folder, and /readyz there answers 200 with all checks ok', async () => {
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
  const answer = await fetch(`${server.url}/readyz`)
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', database: 'ok', jobs: 'ok' }])
})

test('a second server process on the same data folder exits with code 1 and an explanation, and the first stays ready', async () => {
  const second = await runToEnd(storage.variables)
  expect(second.code).toBe(1)
  expect(second.output).toBe(
    `The data folder ${storage.variables['DATA_DIR']} is in use by another server. Stop that one, or set DATA_DIR to another folder.\n`,
  )
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('the server process exits with code 1 and names the port if another program uses that port', async () => {
  const other = await readyFolder()
  const second = await runToEnd({ ...other.variables, PORT: new URL(server.url).port })
  expect([second.code, second.output]).toEqual([1, `PORT: ${new URL(server.url).port} is in use by another program.\n`])
  await other.remove()
})

test('the server process exits with code 1 and names each wrong environment variable or unknown argument', async () => {
  const wrong = await runToEnd({ ...storage.variables, PORT: 'x', RATE_LIMIT_FACTOR: 'y' })
  expect(wrong.code).toBe(1)
  expect(wrong.output.split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'RATE_LIMIT_FACTOR', ''])
  const unknown = await runToEnd(storage.variables, ['--roll', 'web'])
  expect([unknown.code, unknown.output]).toEqual([
    1,
    'Unknown arguments: --roll web. The only one is --role web|worker|all.\n',
  ])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s the server ends streams with bye, answers the request in progress and exits with code 0; the created widget is there after a restart',
  async (signal) => {
    const identity = `anon-1700000000000-${signal.padEnd(24, 'x')}`
    const { socket, finish } = await beginRequest(identity)
    const live = await openStream(server.url, { 'x-anonymous-user-id': identity })
    await live.next('open')
    const ended = server.end(signal)
    const answer = await finish(async () => refusesConnections(server.url))
    expect(answer).toMatch(/^HTTP\/1.1 201 /)
    expect(await ended).toEqual({ code: 0 })
    await live.ended
    expect(live.events.at(-1)).toMatchObject({ name: 'bye', data: { retry: 1000 } })
    socket.destroy()

    server = await startServer(storage.variables)
    const listed = await fetch(`${server.url}/api/v1/widgets`, { headers: { 'x-anonymous-user-id': identity } })
    expect(await listed.json()).toMatchObject([{ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }])
  },
)

/** A create whose headers the server has read, and whose body it waits for. */
async function beginRequest(identity: string) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let received = ''
  socket.on('error', (error) => (received += String(error)))
  socket.on('data', (chunk) => (received += String(chunk)))
  const body = JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' })
  const head = [
    'POST /api/v1/widgets HTTP/1.1',
    'Host: localhost',
    `X-Anonymous-User-ID: ${identity}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await vi.waitFor(() => expect(received).toContain('100 Continue'), 10_000)
  const finish = async (when: () => Promise<void>): Promise<string> => {
    await when()
    received = ''
    socket.write(body)
    await vi.waitFor(() => expect(received).toContain('HTTP/1.1'), 10_000)
    return received
  }
  return { socket, finish }
}

/** Waits until the server takes no more connections, which is when it has begun to stop. */
async function refusesConnections(url: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const refused = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        ({ status }) => status === 503,
        () => true,
      )
      expect(refused).toBe(true)
    },
    { timeout: 10_000, interval: 20 },
  )
}
