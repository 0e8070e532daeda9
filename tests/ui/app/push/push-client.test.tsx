import { beforeEach, expect, test, vi } from 'vitest'
import { pushClient } from '../../../../src/app/push/push-client'
import { writeMeta } from '../../../../src/db/database'
import { configOf } from '../../support/config'
import { START, startLocalApp } from '../../support/local-app'
import { catchReports } from '../../support/reports'
import { fakeBrowser, type FakeBrowser, fakeSubscription } from './browser'

const KEY = 'AQID'
const BODY = { endpoint: 'https://push.example/one', expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }
const NOT_SET_UP = 'Problem with push setup. Please try again or contact support.'

let browser: FakeBrowser
beforeEach(() => {
  browser = fakeBrowser()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

const keepKey = (app: Awaited<ReturnType<typeof startLocalApp>>, vapid_public_key: string | null) =>
  writeMeta(app.db, 'config', { config: configOf({ vapid_public_key }), fetched_at: START })

async function start(key: string | null = KEY) {
  const app = await startLocalApp()
  await keepKey(app, key)
  const explained = vi.fn()
  let home = false
  const { engine } = app.services
  const changed = vi.fn()
  const client = pushClient({
    db: app.db,
    engine,
    needsHomeScreen: () => home,
    explainHomeScreen: explained,
    onChange: changed,
  })
  return { app, client, explained, changed, onHomeScreenOnly: () => (home = true) }
}
/** Lets ten seconds pass for what never comes. */
async function afterTenSeconds<T>(asked: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let done = false
  const result = asked().finally(() => (done = true))
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(9_999)
  expect(done).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  return result
}

test('enabling push asks for permission, subscribes with the server’s key, and registers with the server', async () => {
  const { app, client } = await start()
  const subscribe = vi.spyOn(browser, 'subscribe')
  expect(await client.enable()).toEqual({ ok: true })
  expect(browser.asked).toBe(1)
  expect(subscribe.mock.calls).toEqual([[{ userVisibleOnly: true, applicationServerKey: KEY }]])
  expect(app.calls).toEqual([{ route: 'subscribePush', ...BODY }])
})

test('enabling push asks for the permission synchronously in the click', async () => {
  const { client } = await start()
  const asked = client.enable()
  expect(browser.asked).toBe(1)
  await asked
})

test('two simultaneous clicks enable push with one request to the server; a later click sends another request', async () => {
  const { app, client } = await start()
  expect(await Promise.all([client.enable(), client.enable()])).toEqual([{ ok: true }, { ok: true }])
  expect(app.calls).toHaveLength(1)
  await client.enable()
  expect(app.calls).toHaveLength(2)
})

test('enabling push keeps an existing subscription, and replaces a subscription with another server’s key', async () => {
  const { app, client } = await start()
  const other = fakeSubscription(browser, 'BAUG', 'https://push.example/other')
  browser.subscription = other
  expect(await client.enable()).toEqual({ ok: true })
  expect(other.unsubscribe).toHaveBeenCalledOnce()
  const subscribe = vi.spyOn(browser, 'subscribe')
  await client.enable()
  expect(subscribe).not.toHaveBeenCalled()
  expect(app.calls).toMatchObject([BODY, BODY])
})

test('enabling push on a first visit waits for the server’s settings', async () => {
  const app = await startLocalApp()
  const { engine } = app.services
  const client = pushClient({
    db: app.db,
    engine,
    needsHomeScreen: () => false,
    explainHomeScreen: () => {},
    onChange: () => {},
  })
  const asked = client.enable()
  await new Promise((resolve) => setImmediate(resolve))
  await keepKey(app, KEY)
  expect(await asked).toEqual({ ok: true })
})

test('enabling push succeeds while the server is unreachable, and keeps the subscription', async () => {
  const { app, client } = await start()
  app.answerCalls(() => ({ ok: false, status: 0, error_code: null, message: 'Offline.' }))
  expect(await client.enable()).toEqual({ ok: true })
  expect(browser.subscription).not.toBeNull()
})

test('enabling push on an iPhone without the home-screen app explains how, and asks for no permission', async () => {
  const { client, explained, onHomeScreenOnly } = await start()
  onHomeScreenOnly()
  expect(await client.enable()).toEqual({ ok: false, message: null })
  expect(explained).toHaveBeenCalledOnce()
  expect(browser.asked).toBe(0)
})

test('enabling push says when the browser does not support push', async () => {
  const { client } = await start()
  Reflect.deleteProperty(globalThis, 'PushManager')
  expect(await client.enable()).toEqual({
    ok: false,
    message: 'Push notifications are not supported by this browser.',
  })
})

test('enabling push says when notifications are blocked, and asks for no permission', async () => {
  browser.permission = 'denied'
  const { client } = await start()
  expect(await client.enable()).toEqual({
    ok: false,
    message: 'Push notifications are blocked. Please enable them in browser settings.',
  })
  expect(browser.asked).toBe(0)
})

test.each<NotificationPermission>(['denied', 'default'])(
  'enabling push fails when the user answers the permission prompt with %s, and sends the server nothing',
  async (answer) => {
    const { app, client } = await start()
    browser.answer = answer
    expect(await client.enable()).toEqual({
      ok: false,
      message: 'Could not enable push notifications. Please grant permission.',
    })
    expect(app.calls).toEqual([])
  },
)

test('enabling push fails when no service worker is ready within ten seconds', async () => {
  const { client } = await start()
  browser.ready = () => new Promise(() => {})
  expect(await afterTenSeconds(() => client.enable())).toEqual({
    ok: false,
    message: `${NOT_SET_UP} The app’s background worker did not start within 10 seconds.`,
  })
})

test('enabling push fails with the reason, and without an uncaught error, when the push service does not answer within ten seconds', async () => {
  const { app, client } = await start()
  browser.subscribe = () => new Promise(() => {})
  expect(await afterTenSeconds(() => client.enable())).toEqual({
    ok: false,
    message: `${NOT_SET_UP} The browser’s push service did not answer within 10 seconds.`,
  })
  expect(console.warn).toHaveBeenCalledOnce()
  expect(app.calls).toEqual([])
})

test('enabling push fails when the server has no VAPID key', async () => {
  const { client } = await start(null)
  expect(await client.enable()).toEqual({ ok: false, message: `${NOT_SET_UP} This server sends no push messages.` })
})

test.each([{ p256dh: 'p' }, { auth: 'a' }, {}])(
  'enabling push fails for a subscription that lacks a key, and sends the server nothing: %o',
  async (keys) => {
    const { app, client } = await start()
    browser.subscribe = async () => fakeSubscription(browser, KEY, 'https://push.example/one', keys)
    expect(await client.enable()).toEqual({
      ok: false,
      message: `${NOT_SET_UP} The browser’s push service gave no address.`,
    })
    expect(app.calls).toEqual([])
  },
)

test('a subscription that the server refuses is dropped if it is new, and kept if it existed before', async () => {
  const { app, client, changed } = await start()
  // A page that looks then sees the rest of it.
  changed.mockImplementation(() => expect(browser.subscription).toBeNull())
  app.answerCalls(() => ({ ok: false, status: 422, error_code: 'VALIDATION_ERROR', message: 'No.' }))
  const refused = { ok: false, message: 'Push subscription could not be established with the server.' }
  expect(await client.enable()).toEqual(refused)
  expect(browser.subscription).toBeNull()
  expect(changed).toHaveBeenCalledOnce()
  changed.mockReset()
  const before = fakeSubscription(browser, KEY)
  browser.subscription = before
  expect(await client.enable()).toEqual(refused)
  expect(before.unsubscribe).not.toHaveBeenCalled()
})

test('enabling push shows the message of an unexpected error, and reports the error', async () => {
  const reports = catchReports()
  const { client } = await start()
  browser.subscribe = () => Promise.reject(new Error('Registration failed - push service error'))
  expect(await client.enable()).toEqual({
    ok: false,
    message: 'Error enabling push: Registration failed - push service error',
  })
  expect(reports).toHaveLength(1)
})

test('enabling push shows the browser’s own refusal, which is logged and is no uncaught error', async () => {
  const { client } = await start()
  browser.subscribe = () => Promise.reject(new DOMException('Registration failed', 'AbortError'))
  expect(await client.enable()).toEqual({ ok: false, message: 'Error enabling push: Registration failed' })
  expect(console.warn).toHaveBeenCalledOnce()
})

test('disabling push asks the server to unsubscribe and drops the subscription, even if the server is unreachable', async () => {
  const { app, client } = await start()
  await client.enable()
  const { subscription } = browser
  app.answerCalls(() => ({ ok: false, status: 0, error_code: null, message: 'Offline.' }))
  expect(await client.disable()).toEqual({ ok: true })
  expect(app.calls.at(-1)).toEqual({ route: 'unsubscribePush', endpoint: BODY.endpoint })
  expect(subscription!.unsubscribe).toHaveBeenCalledOnce()
})

test('disabling push without a subscription still asks the server to unsubscribe, without an endpoint', async () => {
  const { app, client } = await start()
  expect(await client.disable()).toEqual({ ok: true })
  expect(app.calls).toEqual([{ route: 'unsubscribePush', endpoint: null }])
})

test('disabling push shows the message of an error when the browser cannot unsubscribe', async () => {
  const reports = catchReports()
  const { client } = await start()
  await client.enable()
  browser.subscription!.unsubscribe.mockRejectedValue(new Error('The disk is full.'))
  expect(await client.disable()).toEqual({ ok: false, message: 'Error disabling push: The disk is full.' })
  expect(reports).toHaveLength(1)
})
