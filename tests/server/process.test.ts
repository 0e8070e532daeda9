import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { runProgram, runToEnd, type ServerProcess, startServer } from './support/server-process'
import { openStream } from './support/stream-client'
import { temporaryFolder } from './support/for-file'
import type { TokenAnswer } from '../../src/contract/session'
import { PASSWORD } from './support/accounts'

/** Waits for a mail of a server in the sandbox, and finds the token of its link. */
async function tokenMailedTo(url: string, email: string): Promise<string> {
  const found = async () => {
    const list = await (await fetch(`${url}/sandbox/mail`)).text()
    const [, address] = /href="(\/sandbox\/mail\/[^"]+)">Confirm your email address</.exec(list) ?? []
    if (address === undefined || !list.includes(`to ${email}`)) throw new Error(`No mail came to ${email}: ${list}`)
    return address
  }
  const address = await vi.waitFor(found, { timeout: 30_000, interval: 50 })
  const mail = await (await fetch(`${url}${address}`)).text()
  return /\/verify-email\?token=([\w-]{43})"/.exec(mail)?.[1] ?? ''
}

/**
 * Registers at a server whose mails go into the sandbox, follows the link of the mail, and signs in.
 * @param url such as http://localhost:41233
 * @returns the headers of the signed-in user's requests
 */
async function accountAt(url: string, email: string): Promise<{ readonly authorization: string }> {
  const post = async <T>(path: string, body: object | URLSearchParams): Promise<T> => {
    const form = body instanceof URLSearchParams
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      ...(form ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  await post('/users/register', { email, password: PASSWORD })
  await post('/users/verify-email', { token: await tokenMailedTo(url, email), password: PASSWORD })
  const form = new URLSearchParams({ username: email, password: PASSWORD })
  const { access_token } = await post<TokenAnswer>('/auth/login', form)
  return { authorization: `Bearer ${access_token}` }
}

/* The built server and the operator's programs as processes: one server on a new data folder, and the next one there. */

const root = temporaryFolder()
const DATA_DIR = join(root, 'made/by-the-server')
/** For what takes seconds of processor time: ends what hangs. Milliseconds. */
const LIMIT = 240_000
const variables = { DATA_DIR, PUBLIC_URL: 'http://localhost:4321' }
let server: ServerProcess
let ada: { readonly authorization: string }
beforeAll(async () => {
  server = await startServer(variables)
  ada = await accountAt(server.url, 'Ada@example.com')
  for (const coin of ['ethereum', 'solana']) await addPair(coin, ada)
}, LIMIT)
afterAll(() => server.end('SIGKILL'))

const guest = (signal: string) => ({ 'x-anonymous-user-id': `anon-1700000000000-${signal.padEnd(24, 'x')}` })

async function addPair(coin_b_id: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/widgets`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id }),
  })
  expect(answer.status).toBe(201)
}

async function pairsOf(headers: Readonly<Record<string, string>>): Promise<readonly Widget[]> {
  return (await (await fetch(`${server.url}/api/v1/widgets`, { headers })).json()) as Widget[]
}

const isReady = async () => {
  const [, monitoring = server.url] = /^Metrics at (\S+)\/metrics$/m.exec(server.output()) ?? []
  const answer = await fetch(`${monitoring}/readyz`)
  return [answer.status, await answer.json()]
}
const READY = [200, { status: 'ok', database: 'ok', jobs: 'ok' }]

/** Paths in the folder to which others than their owner have any permission. */
function open(folder: string): string[] {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    (path) => (lstatSync(join(folder, path)).mode & 0o077) !== 0,
  )
}

/** Lets everybody read and write, as an earlier version did. */
function openToAll(folder: string): void {
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const whole = join(folder, path)
    chmodSync(whole, lstatSync(whole).isDirectory() ? 0o755 : 0o666)
  }
}

async function endsCleanly(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const { socket, finish } = await beginRequest(guest(signal)['x-anonymous-user-id'])
  const live = await openStream(server.url, guest(signal))
  await live.next('open')
  const ended = server.end(signal)
  const answer = await finish(async () => refusesConnections(server.url))
  expect(answer).toMatch(/^HTTP\/1.1 201 /)
  expect(await ended).toEqual({ code: 0 })
  await live.ended
  expect(live.events.at(-1)).toMatchObject({ name: 'bye', data: { retry: 1000 } })
  socket.destroy()
}

test('the server process prints its localhost URL on a new folder, and /readyz there answers 200 with all checks ok', async () => {
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
  expect(await isReady()).toEqual(READY)
})

test('without SMTP_URL the server writes mails to a folder and prints the sandbox page where they can be read', async () => {
  expect(server.output()).toContain(`Mails are not sent: read them at ${server.url}/sandbox/mail\n`)
  expect(server.output()).toContain(
    '\nPayments are not real: checkout is a page of this server, and nothing is charged\n',
  )
  expect(readdirSync(join(DATA_DIR, 'mails')).length).toBeGreaterThan(0)
  const { google } = (await (await fetch(`${server.url}/api/v1/config`)).json()) as { google: object }
  expect(google).toMatchObject({
    client_id: 'sandbox',
    authorization_url: 'http://localhost:4321/sandbox/google/auth',
  })
})

test('a second server process on the same data folder exits with code 1 and an explanation, and the first stays ready', async () => {
  expect(await runToEnd({ DATA_DIR })).toEqual({
    code: 1,
    output: `The data folder ${DATA_DIR} is in use by another server. Stop that one, or set DATA_DIR to another folder.\n`,
  })
  expect(await isReady()).toEqual(READY)
})

test('the superuser command exits with code 1 while a server uses the embedded database, and the server stays ready', async () => {
  expect(await runProgram('superuser', { DATA_DIR }, ['appoint', 'ada@example.com'])).toEqual({
    code: 1,
    output: `The embedded database in ${DATA_DIR}\nThe embedded database in ${DATA_DIR} is in use by a running server. Stop the server first. (With DATABASE_URL, it may go on running.)\n`,
  })
  expect(await isReady()).toEqual(READY)
})

test('the server process exits with code 1 and names each wrong environment variable', async () => {
  const { code, output } = await runToEnd({ DATA_DIR, PORT: 'x', RATE_LIMIT_FACTOR: 'y' })
  expect(code).toBe(1)
  expect(output.split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'RATE_LIMIT_FACTOR', ''])
})

test('on SIGTERM the server ends streams with bye, answers the request in progress and exits with code 0', () =>
  endsCleanly('SIGTERM'))

test('no file or folder that the server process makes in DATA_DIR is accessible to others, nor DATA_DIR itself', () => {
  expect(open(DATA_DIR)).toEqual([])
  for (const made of ['mails', 'jwt-secret', 'postgres/pg_wal']) expect(existsSync(join(DATA_DIR, made))).toBe(true)
})

describe('a server process that is started again', () => {
  let opened: readonly string[]
  beforeAll(async () => {
    // Has ended already, unless its test was left out.
    await server.end('SIGTERM')
    openToAll(DATA_DIR)
    opened = open(DATA_DIR)
    server = await startServer({ ...variables, FREE_MAX_WIDGETS: '1', METRICS_PORT: '0' })
  }, LIMIT)

  test('a start of the server takes the files of an existing DATA_DIR from other users', () => {
    expect(opened.length).toBeGreaterThan(900)
    expect(open(DATA_DIR)).toEqual([])
    expect(lstatSync(DATA_DIR).mode & 0o777).toBe(0o700)
  })

  test('with METRICS_PORT the server prints where its metrics are: build, jobs and tables among them, and not on its public port', async () => {
    const address = /^Metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(server.output())?.[1]
    const text = await (await fetch(address ?? '')).text()
    expect(text).toMatch(/^build_info\{version="\d+\.\d+\.\d+",commit="\w{7,}(-dirty)?"\} 1$/m)
    expect(text).toMatch(/^job_late_seconds\{job="vacuum"\} \d/m)
    expect(text).toMatch(/^table_bytes\{table="users"\} [1-9]/m)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  })

  test('access tokens stay valid over a server restart, and changed widget limits apply from the start of the new process', async () => {
    expect((await pairsOf(ada)).map(({ is_active }) => is_active)).toEqual([true, false])
  })

  test('a widget that was created while the server stopped is there after a restart', async () => {
    expect(await pairsOf(guest('SIGTERM'))).toMatchObject([{ coin_a_id: 'bitcoin', coin_b_id: 'ethereum' }])
  })

  test(
    'npm run backup beside a running server, npm run restore elsewhere: npm run superuser there appoints the user, and takes the files from others',
    { tags: ['full'], timeout: LIMIT },
    async () => {
      const file = join(root, 'one.gz')
      expect(await runProgram('backup', { DATA_DIR }, [file])).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^The embedded database in .*\nBackup written to .*one\.gz: \d+ rows of \d+ tables, \d+\.\d MB\.\n$/,
        ),
      })
      expect(await isReady()).toEqual(READY)
      const elsewhere = join(root, 'elsewhere')
      expect(await runProgram('restore', { DATA_DIR: elsewhere }, [file])).toEqual({
        code: 0,
        output: expect.stringMatching(/^The embedded database in .*elsewhere\nRestored \d+ rows of \d+ tables\.\n$/),
      })
      openToAll(elsewhere)
      expect(await runProgram('superuser', { DATA_DIR: elsewhere }, ['appoint', 'ada@example.com'])).toEqual({
        code: 0,
        output: `The embedded database in ${elsewhere}\nada@example.com is a superuser from now on.\n`,
      })
      expect(open(elsewhere)).toEqual([])
    },
  )

  test('npm run restore of a file that is not there exits with code 1 and the reason', async () => {
    expect(await runProgram('restore', { DATA_DIR }, [join(root, 'none.gz')])).toEqual({
      code: 1,
      output: expect.stringContaining('is no file'),
    })
  })

  test('on SIGINT the server ends streams with bye, answers the request in progress and exits with code 0', () =>
    endsCleanly('SIGINT'))
})

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
