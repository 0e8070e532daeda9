import { eq } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PushSubscriptionBody } from '../../src/contract/alerts'
import { logOut } from '../../src/db/leave-owner'
import { changePushRegistration, readPushRegistration } from '../../src/db/push-registration'
import { readMeta, writeMeta } from '../../src/db/database'
import { HOUR, MINUTE } from '../../src/domain/granularity'
import { createEngine, type Engine } from '../../src/sync/engine'
import { confirmShown } from '../../src/sync/push/confirm-shown'
import { bodyOf, pushDevice, subscribeTo, SUBSCRIBE_LIMIT } from '../../src/sync/push/device'
import { owners } from '../../server/db/schema/users'
import { push_subscriptions } from '../../server/db/schema/alerts'
import { sessions } from '../../server/db/schema/sessions'
import { hashOfSecret } from '../../server/services/secrets'
import { TEST_VAPID } from '../server/support/test-vapid'
import { alertRow } from '../db/support/alerts'
import { deviceKeys } from '../support/push-device'
import { oneTab } from './support/one-tab'
import { type FakePush, fakePush } from './support/push-manager'
import { json } from './support/wire'

const scene = oneTab()
const { logInHere, memberHere, offline, online, later, notices, view } = scene
const KEY = TEST_VAPID.VAPID_PUBLIC_KEY
const done = { ok: true, value: null }

let push: FakePush
let engine: Engine
let limits: number[]
beforeEach(async () => {
  push = fakePush()
  limits = []
  vi.stubGlobal('Notification', { permission: 'granted' })
  const timer = (ms: number, run: () => void) => {
    limits.push(ms)
    if (ms === SUBSCRIBE_LIMIT) setImmediate(run)
    return () => undefined
  }
  engine = createEngine({ ...scene.tab.env, timer, push: pushDevice(push.registration) })
  await engine.sync('start')
})
/** The user clicks the switch. */
const enable = async () => engine.call('subscribePush', await subscribed())
const subscribed = async (): Promise<PushSubscriptionBody> => bodyOf(await subscribeTo(push.registration, KEY))!
const disable = async () => {
  const endpoint = push.endpoint()
  push.lose()
  return engine.call('unsubscribePush', { endpoint })
}
/** Whom the server sends to which endpoint; null: a guest. */
const known = async () => {
  const rows = await scene.server.database.orm
    .select({ endpoint: push_subscriptions.endpoint, id: owners.id, kind: owners.kind })
    .from(push_subscriptions)
    .innerJoin(owners, eq(owners.id, push_subscriptions.owner_id))
  return rows.map(({ endpoint, id, kind }) => ({ endpoint, user: kind === 'user' ? id : null }))
}
const hereFor = (user: string | null) => [{ endpoint: push.endpoint()!, user }]
const requests = (path = '/push/subscribe') => scene.browser.sent.filter((sent) => sent.path === path).length
const registration = () => readPushRegistration(scene.tab.db)

beforeEach(() => scene.server.database.orm.delete(push_subscriptions))

test('an enabled push subscription is registered with the server once, and again at every start', async () => {
  expect(await enable()).toEqual(done)
  expect(await known()).toEqual(hereFor(null))
  expect(await enable()).toEqual(done)
  await engine.sync('tick')
  await engine.sync('online')
  expect(requests()).toBe(1)
  await Promise.all([engine.sync('start'), engine.sync('start')])
  expect(requests()).toBe(2)
  later(MINUTE)
  await engine.sync('start')
  expect(requests()).toBe(3)
})

test('a push subscription is registered for the user at a login, and for the guest again at a logout', async () => {
  await enable()
  await memberHere()
  await engine.sync('command')
  const { owner } = await view()
  expect(await known()).toEqual(hereFor(owner))
  await logOut(scene.tab.context)
  await engine.sync('command')
  expect(await known()).toEqual(hereFor(null))
  expect((await registration()).registered).toMatchObject({ owner: scene.browser.guest })
})

test('a push subscription that ended with its session on the server is registered again after the user’s next login', async () => {
  await enable()
  const email = await memberHere()
  await engine.sync('command')
  const { owner } = await view()
  expect(await known()).toEqual(hereFor(owner))
  await scene.server.database.orm.delete(sessions).where(eq(sessions.user_id, owner))
  expect(await known()).toEqual([])
  later(20 * MINUTE)
  await engine.sync('tick')
  expect(await view()).toMatchObject({ owner, expired: true })
  await logInHere(email)
  await engine.sync('command')
  expect(await known()).toEqual(hereFor(owner))
  await engine.sync('command')
  expect(requests()).toBe(3)
})

test('a push subscription is registered once the network is back, for the owner who uses the browser by then', async () => {
  offline()
  expect(await enable()).toMatchObject({ ok: false, status: 0 })
  expect(await registration()).toMatchObject({ off: false, registered: null })
  online()
  // Just tried: not with every command.
  await engine.sync('command')
  expect(await known()).toEqual([])
  later(5_000)
  await engine.sync('command')
  expect(await known()).toEqual(hereFor(null))

  await memberHere()
  await engine.sync('command')
  const { owner } = await view()
  offline()
  await logOut(scene.tab.context)
  await engine.sync('command')
  expect(await known()).toEqual(hereFor(owner))
  online()
  await engine.sync('online')
  expect(await known()).toEqual(hereFor(null))
})

test('a push subscription that the server refuses is not sent again with every sync, but after an hour or at a start', async () => {
  scene.browser.setWay(({ path }) =>
    path === '/push/subscribe' ? json(422, { detail: 'No.', error_code: 'VALIDATION_ERROR' }) : 'arrives',
  )
  expect(await enable()).toMatchObject({ ok: false, status: 422, error_code: 'VALIDATION_ERROR' })
  later(10 * MINUTE)
  await engine.sync('tick')
  expect(requests()).toBe(1)
  later(HOUR)
  await engine.sync('tick')
  expect(requests()).toBe(2)
  await engine.sync('start')
  expect(requests()).toBe(3)
  online()
  expect(await enable()).toEqual(done)
})

test('a push subscription is not registered without the notification permission', async () => {
  await subscribed()
  vi.stubGlobal('Notification', { permission: 'denied' })
  await engine.sync('start')
  expect(requests()).toBe(0)
})

test('a lost push subscription is made anew and registered, and the old one is deregistered', async () => {
  await enable()
  const before = push.endpoint()
  push.lose()
  await engine.sync('tick')
  expect(push.endpoint()).not.toBe(before)
  expect(await known()).toEqual(hereFor(null))
})

test('a lost push subscription of a user who has logged out is replaced by one of the guest, and none is left stale', async () => {
  await memberHere()
  await enable()
  await logOut(scene.tab.context)
  push.lose()
  await engine.sync('tick')
  expect((await registration()).registered).toMatchObject({
    owner: scene.browser.guest,
    subscription: { endpoint: push.endpoint() },
  })
  expect((await registration()).stale).toEqual([])
})

test('a push subscription made with another VAPID key is made anew', async () => {
  await enable()
  const before = push.endpoint()
  const config = (await readMeta(scene.tab.db, 'config'))!
  const other = deviceKeys().keys.p256dh
  await writeMeta(scene.tab.db, 'config', { ...config, config: { ...config.config, vapid_public_key: other } })
  await engine.sync('tick')
  expect(push.endpoint()).not.toBe(before)
  expect((await registration()).registered?.subscription.endpoint).toBe(push.endpoint())
  const { options } = (await push.registration.pushManager.getSubscription())!
  expect(Buffer.from(options.applicationServerKey!).toString('base64url')).toBe(other)
})

test.each([
  ['refuses', 'Registration failed.'],
  ['hangs', 'No push service answered within 10 seconds.'],
] as const)('a lost push subscription that cannot be made anew leaves one notice: the browser %s', async (how, why) => {
  await enable()
  push.lose()
  push.answer(how)
  await engine.sync('tick')
  const sentence = `Notifications no longer reach this device. Please switch them on again. ${why}`
  expect(await notices()).toEqual([sentence])
  expect((await readMeta(scene.tab.db, 'sync_state'))?.problems.push).toBe(sentence)
  push.answer('subscribes')
  await engine.sync('tick')
  expect(push.endpoint()).toBeNull()
  later(10 * MINUTE)
  await engine.sync('tick')
  expect(await known()).toEqual(hereFor(null))
  expect((await readMeta(scene.tab.db, 'sync_state'))?.problems.push).toBeUndefined()
})

test.each(['switched on again', 'switched off'] as const)(
  'a lost push subscription is no problem once push is %s',
  async (what) => {
    await enable()
    push.lose()
    push.answer('refuses')
    await engine.sync('tick')
    const problem = async () => (await readMeta(scene.tab.db, 'sync_state'))?.problems.push
    expect(await problem()).toContain('no longer reach this device')
    push.answer('subscribes')
    await (what === 'switched off' ? disable() : enable())
    expect(await problem()).toBeUndefined()
  },
)

test('a push subscription is not made anew on a device where push was switched off', async () => {
  await enable()
  await disable()
  await subscribeTo(push.registration, deviceKeys().keys.p256dh)
  const ofOtherKey = push.endpoint()
  await engine.sync('start')
  expect(push.endpoint()).toBe(ofOtherKey)
  push.lose()
  await engine.sync('start')
  expect(push.endpoint()).toBeNull()
  expect(await known()).toEqual([])
})

test('switching push off deregisters the subscription from the server at once', async () => {
  await enable()
  expect(await disable()).toEqual(done)
  expect(await known()).toEqual([])
  expect(await registration()).toEqual({ off: true, registered: null, stale: [], deferred: null })
  await engine.sync('start')
  expect(requests()).toBe(1)
})

test('switching push off without a network deregisters the subscription once there is a network', async () => {
  await enable()
  offline()
  expect(await disable()).toMatchObject({ ok: false, status: 0 })
  expect((await registration()).stale).toHaveLength(1)
  online()
  await engine.sync('online')
  expect(await known()).toEqual([])
  expect((await registration()).stale).toEqual([])
})

test('a stale push subscription is deregistered in the name of its owner, or not at all once that user has left', async () => {
  await enable()
  const email = await scene.server.member()
  offline()
  await disable()
  online()
  await logInHere(email)
  await engine.sync('online')
  expect(await known()).toEqual([])
  expect((await registration()).stale).toEqual([])

  await enable()
  offline()
  await disable()
  const { owner } = await view()
  expect((await registration()).stale).toMatchObject([{ owner }])
  const asked = requests('/push/unsubscribe')
  await logOut(scene.tab.context)
  online()
  await engine.sync('online')
  expect((await registration()).stale).toEqual([])
  expect(requests('/push/unsubscribe')).toBe(asked)
})

test('push switched off without a network and on again keeps the new subscription', async () => {
  await enable()
  offline()
  await disable()
  online()
  await enable()
  await engine.sync('online')
  expect(await known()).toEqual(hereFor(null))
  expect(await registration()).toMatchObject({ off: false, stale: [] })
})

test('push switched off and on again under the same endpoint stays on although the server missed the first', async () => {
  await enable()
  const subscription = await subscribed()
  offline()
  await engine.call('unsubscribePush', { endpoint: subscription.endpoint })
  online()
  await engine.call('subscribePush', subscription)
  await engine.sync('online')
  expect(await known()).toEqual(hereFor(null))
})

test('a user who switches push off deregisters the subscription that was registered for the guest', async () => {
  await enable()
  await memberHere()
  expect(await disable()).toEqual(done)
  expect(await known()).toEqual([])
})

test('push switched off while its registration is under way ends off', async () => {
  const subscription = await subscribed()
  let disabled: Promise<unknown> | undefined
  scene.browser.setWay(({ path }) => {
    if (path === '/push/subscribe') disabled = disable()
    return 'arrives'
  })
  await engine.call('subscribePush', subscription)
  await disabled
  expect(await known()).toEqual([])
  expect(await registration()).toMatchObject({ off: true, registered: null, stale: [] })
})

test('a browser without push support still deregisters a stale push subscription', async () => {
  await enable()
  const plain = createEngine(scene.tab.env)
  await changePushRegistration(scene.tab.db, () => ({
    stale: [{ owner: scene.browser.guest, endpoint: push.endpoint()! }],
  }))
  await plain.sync('online')
  expect(await known()).toEqual([])
})

test('notifications of a user’s alerts are closed once the user has logged out, without a network as well', async () => {
  await memberHere()
  const { owner } = await view()
  const [theirs, guests] = [alertRow(owner), alertRow(scene.browser.guest, { epoch: 1 })]
  push.notify(theirs)
  push.notify(null)
  await engine.sync('command')
  expect(push.shown()).toEqual([theirs.event_id, null])
  offline()
  await logOut(scene.tab.context)
  push.notify(guests)
  await engine.sync('command')
  expect(push.shown()).toEqual([null, guests.event_id])
})

test('a registration keeps the secret of its receipts, a confirmation sends it, and one that the server refuses registers again', async () => {
  expect(await enable()).toEqual(done)
  const { receipt } = (await registration()).registered!
  expect(receipt).toMatch(/^[\w-]{43}$/)
  await confirmShown(scene.tab.env, ['unknown:high:1'])
  const rows = () => scene.server.rows(push_subscriptions)
  expect(await rows()).toMatchObject([{ receipt_hash: hashOfSecret(receipt!), shown_at: expect.any(Date) }])
  expect(requests('/push/shown')).toBe(1)
  expect((await registration()).registered!.outdated).toBeUndefined()
  await scene.server.database.orm.update(push_subscriptions).set({ receipt_hash: null })
  await confirmShown(scene.tab.env, [])
  expect((await registration()).registered!.outdated).toBe(true)
  await engine.sync('online')
  expect((await registration()).registered!.receipt).not.toBe(receipt)
})
