/** @module-tag both-engines */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { linkIn, type Mailbox, startMailbox } from '../support/mailbox'
import { type PushService, startPushService } from '../support/push-service'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink'
import { type Browser, browserAt } from './support/browser'
import { type FullDisk, fullDisk } from './support/full-disk'
import { killRounds, type KillReport } from './support/kill-rounds'
import { seeded } from './support/seeded'
import type { ServerProcess } from './support/server-process'
import { newGuest } from './support/guest'
import { emptyDatabase, readyFolder, type TestStorage } from './support/test-storage'

/*
 * The built server as a process: killed once while guests and users write, and while it owes a mail and an alert. All that it
 * had acknowledged outlives it, and the next process pays what it owed.
 */

const url = process.env['TEST_DATABASE_URL'] ?? ''
const PUBLIC_URL = 'http://localhost:4321'
/** Ends what hangs. Milliseconds. */
const LIMIT = { timeout: 60_000, interval: 20 }
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

let mailbox: Mailbox
let pushes: PushService
let sink: WebhookSink
let storage: TestStorage
let disk: FullDisk
let server: ServerProcess | undefined
let report: KillReport
let browser: Browser
let widget: Widget

const headers = { 'x-anonymous-user-id': newGuest(), 'content-type': 'application/json' }
async function ask<T>({ url }: ServerProcess, path: string, body?: object): Promise<T> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${url}/api/v1${path}`, { headers, ...sent })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/**
 * A mail that the mail server refuses, and an alert that the push service refuses and the receiver of a webhook has got and not
 * answered yet: all have been tried.
 */
async function owe(first: ServerProcess): Promise<void> {
  await ask(first, '/users/register', { email: 'ann@example.com', password: 'correct horse' })
  const { vapid_public_key } = await ask<{ vapid_public_key: string }>(first, '/config')
  browser = browserAt(pushes, vapid_public_key)
  browser.reply({ status: 503 })
  await ask(first, '/alerts/channels', { kind: 'webhook', url: sink.origin, preset: 'json' })
  await ask(first, '/push/subscribe', { endpoint: browser.endpoint, expirationTime: null, keys: browser.keys })
  const pair = { coin_a_id: 'bitcoin', coin_b_id: 'ethereum', high_threshold: 1e-6, notifications_enabled: true }
  widget = await ask<Widget>(first, '/widgets', pair)
  await vi.waitFor(
    () => expect([mailbox.refused(), browser.arrivals.length, sink.requests.length]).not.toContain(0),
    LIMIT,
  )
}

beforeAll(async () => {
  mailbox = await startMailbox()
  mailbox.refuse(451)
  pushes = await startPushService()
  sink = await startWebhookSink()
  sink.reply('nothing')
  disk = fullDisk()
  storage = url === '' ? await readyFolder() : await emptyDatabase(url)
  const variables = {
    ...storage.variables,
    ...disk.variables,
    PUBLIC_URL,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Ratios <post@ratio.example>',
    PUSH_ALLOWED_HOSTS: pushes.host,
    WEBHOOK_ALLOWED_HOSTS: sink.host,
    PRICE_POLL_SECONDS: '1',
  }
  const killed = () => {
    mailbox.refuse(null)
    browser.reply(null)
    sink.reply({ status: 204 })
  }
  const run = { variables, rounds: 1, writes: 100, random: seeded(seed), before: owe, killed }
  ;({ report, server } = await killRounds(run))
}, 240_000)
afterAll(async () => {
  await server?.end('SIGKILL')
  await Promise.all([mailbox.stop(), pushes.stop(), sink.stop(), storage.remove()])
  disk.remove()
})

test(`no acknowledged write of guests and users is lost when the server is killed with kill -9 (${url === '' ? 'PGlite' : 'PostgreSQL'})`, () => {
  console.log(`seed ${seed}: ${JSON.stringify(report)}`)
  expect(report.lost).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
})

test('a mail that was refused until the server was killed is sent by the next server process, and its link works once', async () => {
  const mail = await mailbox.next('ann@example.com', LIMIT.timeout)
  expect(mail.raw).toContain('From: Ratios <post@ratio.example>')
  const link = linkIn(mail, '/verify-email')
  expect(link.origin).toBe(PUBLIC_URL)
  const body = { token: link.searchParams.get('token'), password: 'correct horse' }
  const answers = await Promise.all([1, 2].map(() => ask<{ message: string }>(server!, '/users/verify-email', body)))
  expect(answers.map(({ message }) => message).toSorted()).toEqual([
    'Your email address has been verified. You can log in now.',
    'Your email address is already verified. You can log in.',
  ])
  expect(server!.output()).not.toContain('ann@')
})

test('an alert that the killed server process could not send is sent once by the next process, with the same VAPID keys', async () => {
  await expect.poll(() => browser.alerts.length, LIMIT).toBe(1)
  expect(browser.alerts).toMatchObject([{ event_id: `${widget.id}:high:0`, side: 'high', threshold: 1e-6 }])
  expect(browser.answers).not.toContain(403)
  const [shown] = await ask<Widget[]>(server!, '/widgets')
  expect(shown).toMatchObject({ high_threshold_active: false, high_epoch: 0 })
  const metrics = await (await fetch(`${server!.url}/metrics`)).text()
  expect(metrics).toMatch(/push_deliveries_total\{outcome="sent"\} 1\n/)
})

test('a webhook that was sent and not recorded when the server was killed is sent again by the next process, under the same id', async () => {
  const [first] = sink.requests
  await expect.poll(() => sink.requests.length, LIMIT).toBe(2)
  expect(sink.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
    `${widget.id}:high:0`,
    `${widget.id}:high:0`,
  ])
  expect(sink.requests[1]?.body).toBe(first?.body)
  await expect
    .poll(() => ask<readonly object[]>(server!, '/alerts/channels'), LIMIT)
    .toMatchObject([{ state: 'on', last_success_at: expect.any(String) as string }])
})

/** A small share of tests/bars/full-disk.bars.ts, on a disk whose every write fails; the starts after it in full-disk.test.ts. */
test.skipIf(url !== '')('on a full disk the server process ends with code 1 and the reason', async () => {
  disk.fill()
  // The server may end before it answers.
  const pair = { coin_a_id: 'bitcoin', coin_b_id: 'solana' }
  await expect(ask(server!, '/widgets', pair)).rejects.toThrow(/500|fetch failed/)
  expect(await server!.ended).toBe(1)
  expect(server!.output()).toMatch(/The embedded database stopped: .*No space left on device/)
  expect(browser.alerts).toHaveLength(1)
})

test(
  `no acknowledged write of guests and users is lost when the server is killed with kill -9 again and again (${url === '' ? 'PGlite' : 'PostgreSQL'})`,
  { tags: ['full'], timeout: 120_000 },
  async () => {
    const other = url === '' ? await readyFolder() : await emptyDatabase(url)
    const rounds = await killRounds({ variables: other.variables, rounds: 2, writes: 200, random: seeded(seed) })
    await rounds.server.end('SIGTERM')
    await other.remove()
    expect(rounds.report.lost).toEqual([])
    expect(rounds.report.acknowledged).toBeGreaterThan(0)
  },
)
