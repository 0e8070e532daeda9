import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkIn, type Mailbox, startMailbox } from '../support/mailbox'
import { type ServerProcess, startServer } from './support/server-process'
import { readyFolder, type TestStorage } from './support/test-storage'

/* The built server as a process: what it owes in mails outlives it, and is paid over SMTP. */

const PUBLIC_URL = 'http://localhost:4321'
let storage: TestStorage
let mailbox: Mailbox
let server: ServerProcess | null = null
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterAll(() => mailbox.stop())
beforeEach(async () => {
  storage = await readyFolder()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  await storage.remove()
})

async function start(variables: Record<string, string> = {}): Promise<string> {
  const all = {
    ...storage.variables,
    PUBLIC_URL,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Ratios <post@ratio.example>',
    ...variables,
  }
  server = await startServer(all)
  return server.url
}

const post = (url: string, path: string, body: object) =>
  fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a mail that was refused until the server was killed is sent by the next server process, and its link works once', async () => {
  mailbox.refuse(451)
  const first = await start()
  expect((await post(first, '/users/register', { email: 'ann@example.com', password: 'correct horse' })).status).toBe(
    201,
  )
  while (mailbox.refused() === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await server?.end('SIGKILL')
  mailbox.refuse(null)

  const second = await start()
  const mail = await mailbox.next('ann@example.com')
  expect(mail.raw).toContain('From: Ratios <post@ratio.example>')
  const link = linkIn(mail, '/verify-email')
  expect(link.origin).toBe(PUBLIC_URL)
  const token = link.searchParams.get('token')
  const answers = await Promise.all(
    [1, 2].map(() => post(second, '/users/verify-email', { token, password: 'correct horse' })),
  )
  const said = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { message: string }).message))
  expect(said.toSorted()).toEqual([
    'Your email address has been verified. You can log in now.',
    'Your email address is already verified. You can log in.',
  ])
  expect(await server?.end('SIGTERM')).toEqual({ code: 0 })
  expect(server?.output()).not.toContain('ann@')
}, 120_000)

test('without SMTP_URL the server writes mails to a folder and prints the sandbox page where they can be read', async () => {
  const url = await start({ SMTP_URL: '' })
  expect(server?.output()).toContain(`Mails are not sent: read them at ${url}/sandbox/mail\n`)
  expect(server?.output()).toContain(
    '\nPayments are not real: checkout is a page of this server, and nothing is charged\n',
  )
  await post(url, '/users/register', { email: 'bob@example.com', password: 'correct horse' })
  const folder = join(storage.variables['DATA_DIR'] ?? '', 'mails')
  const list = async () => (await fetch(`${url}/sandbox/mail`)).text()
  while (!(await list()).includes('to bob@example.com')) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(readdirSync(folder)).toHaveLength(1)
  const { google } = (await (await fetch(`${url}/api/v1/config`)).json()) as { google: object }
  expect(google).toMatchObject({ client_id: 'sandbox', authorization_url: `${PUBLIC_URL}/sandbox/google/auth` })
}, 120_000)
