// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { followPush } from '../../../../src/app/push/follow-push'
import { type PushFacts, pushStateOf } from '../../../../src/app/push/push-state'
import { changePushBook } from '../../../../src/db/push-book'
import { pushStateAtom } from '../../../../src/state/push'
import { startLocalApp } from '../../support/local-app'
import { fakeBrowser, type FakeBrowser, fakeSubscription } from './browser'

describe('what a device’s state is called', () => {
  const on: PushFacts = { supported: true, needsHomeScreen: false, permission: 'granted', subscribed: true, off: false }
  test.each<[string, Partial<PushFacts>]>([
    ['on', {}],
    ['off', { off: true }],
    ['off', { subscribed: false }],
    ['off', { permission: 'default' }],
    ['blocked', { permission: 'denied' }],
    ['unsupported', { supported: false, permission: 'default', subscribed: false }],
    ['needs-home-screen', { needsHomeScreen: true, supported: false }],
  ])('%s: %o', (state, facts) => {
    expect(pushStateOf({ ...on, ...facts })).toBe(state)
  })
})

describe('the state is kept', () => {
  let browser: FakeBrowser
  beforeEach(() => {
    browser = fakeBrowser()
  })
  async function start() {
    const app = await startLocalApp()
    followPush(app.store, app.db, () => false)
    const becomes = (state: string) => vi.waitFor(() => expect(app.store.get(pushStateAtom)).toBe(state))
    return { app, becomes }
  }

  test('with what is stored of push, in whichever tab', async () => {
    const { app, becomes } = await start()
    await becomes('off')
    browser.permission = 'granted'
    browser.subscription = fakeSubscription(browser, 'AQID')
    await changePushBook(app.db, () => ({ off: false }))
    await becomes('on')
    await changePushBook(app.db, () => ({ off: true }))
    await becomes('off')
  })

  test('with what the user permits in the browser’s settings', async () => {
    const { becomes } = await start()
    await becomes('off')
    browser.setPermission('denied')
    await becomes('blocked')
  })

  test('with every look at the page, where the browser tells nothing by itself', async () => {
    const { becomes } = await start()
    await becomes('off')
    browser.permission = 'denied'
    document.dispatchEvent(new Event('visibilitychange'))
    await becomes('blocked')
  })
})
