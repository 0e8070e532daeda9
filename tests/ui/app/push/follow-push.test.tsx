import { beforeEach, describe, expect, test, vi } from 'vitest'
import { pushStateOf } from '../../../../src/app/push/push-state'
import { followPush } from '../../../../src/app/push/start-push'
import { changePushRegistration } from '../../../../src/db/push-registration'
import { pushDeclinedAtom, pushStateAtom } from '../../../../src/state/push'
import { startLocalApp } from '../../support/local-app'
import { fakeBrowser, type FakeBrowser, fakeSubscription } from './browser'

type Facts = Parameters<typeof pushStateOf>[0]

describe('push state of a device', () => {
  const on: Facts = { supported: true, needsHomeScreen: false, permission: 'granted', subscribed: true, off: false }
  test.each<[string, Partial<Facts>]>([
    ['on', {}],
    ['off', { off: true }],
    ['off', { subscribed: false }],
    ['off', { permission: 'default' }],
    ['blocked', { permission: 'denied' }],
    ['unsupported', { supported: false, permission: 'default', subscribed: false }],
    ['needs-home-screen', { needsHomeScreen: true, supported: false }],
  ])('the push state is %s for the facts %o', (state, facts) => {
    expect(pushStateOf({ ...on, ...facts })).toBe(state)
  })
})

describe('updates of the push state', () => {
  let browser: FakeBrowser
  beforeEach(() => {
    browser = fakeBrowser()
  })
  async function start() {
    const app = await startLocalApp()
    followPush(app.store, app.db)
    const becomes = (state: string) => vi.waitFor(() => expect(app.store.get(pushStateAtom)).toBe(state))
    return { app, becomes }
  }

  test('the push state follows the push setting stored in the local database', async () => {
    const { app, becomes } = await start()
    await becomes('off')
    browser.permission = 'granted'
    browser.subscription = fakeSubscription(browser, 'AQID')
    await changePushRegistration(app.db, () => ({ off: false }))
    await becomes('on')
    await changePushRegistration(app.db, () => ({ off: true }))
    await becomes('off')
    expect(app.store.get(pushDeclinedAtom)).toBe(true)
  })

  test('the push state follows the notification permission in the browser’s settings', async () => {
    const { becomes } = await start()
    await becomes('off')
    browser.setPermission('denied')
    await becomes('blocked')
  })

  test('the push state is read again on a visibility change, for a browser that reports no permission changes', async () => {
    const { becomes } = await start()
    await becomes('off')
    browser.permission = 'denied'
    document.dispatchEvent(new Event('visibilitychange'))
    await becomes('blocked')
  })
})
