import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { type PushService, startPushService } from '../support/push-service'
import { type Browser, browserAt } from './support/browser'
import { type Headers, type Method, key } from './support/person'
import { type ServerProcess, startServer } from './support/server-process'
import { newGuest } from './support/test-app'
import { readyFolder, type TestStorage } from './support/test-storage'

/* The built server as a process: it polls, judges, hands out and sends; and what it owes in alerts outlives it. */

let service: PushService
let storage: TestStorage
let server: ServerProcess | null = null
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  storage = await readyFolder()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  await storage.remove()
})

async function start(): Promise<void> {
  server = await startServer({ ...storage.variables, PUSH_ALLOWED_HOSTS: service.host, PRICE_POLL_SECONDS: '1' })
}

const id = newGuest()
async function ask<T>(method: Method, path: string, body?: unknown, headers: Headers = {}): Promise<T> {
  const answer = await fetch(`${server?.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-anonymous-user-id': id, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T)
}

/** A pair whose ratio lies above its threshold, and a browser that wants to know. */
async function watchedBy(): Promise<{ readonly browser: Browser; readonly widget: string }> {
  const { vapid_public_key } = await ask<{ vapid_public_key: string }>('GET', '/config')
  const browser = browserAt(service, vapid_public_key)
  await ask('POST', '/push/subscribe', { endpoint: browser.endpoint, expirationTime: null, keys: browser.keys })
  const widget = await ask<Widget>(
    'POST',
    '/widgets',
    { coin_a_id: 'bitcoin', coin_b_id: 'ethereum', high_threshold: 1e-6, notifications_enabled: true },
    key(undefined),
  )
  return { browser, widget: widget.id }
}

test('an alert that the killed server process could not send is sent once by the next process, with the same VAPID keys', async () => {
  await start()
  const { browser, widget } = await watchedBy()
  browser.reply({ status: 503 })
  await expect.poll(() => browser.arrivals.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await server?.end('SIGKILL')
  browser.reply(null)

  await start()
  await expect.poll(() => browser.alerts.length, { timeout: 60_000 }).toBe(1)
  expect(browser.alerts).toMatchObject([{ event_id: `${widget}:high:0`, side: 'high', threshold: 1e-6 }])
  expect(browser.answers).not.toContain(403)
  const [shown] = await ask<Widget[]>('GET', '/widgets')
  expect(shown).toMatchObject({ high_threshold_active: false, high_epoch: 0 })
  const metrics = await (await fetch(`${server?.url}/metrics`)).text()
  expect(metrics).toMatch(/push_deliveries_total\{outcome="sent"\} 1\n/)
  expect(await server?.end('SIGTERM')).toEqual({ code: 0 })
  expect(browser.alerts).toHaveLength(1)
}, 120_000)
