import { beforeEach, expect, test, vi } from 'vitest'
import { owners } from '../../server/db/schema/users'
import { push_subscriptions } from '../../server/db/schema/alerts'
import { widgets } from '../../server/db/schema/widgets'
import { readLocalData } from '../../src/db/local-data'
import { readPushRegistration } from '../../src/db/push-registration'
import { readMeta, writeMeta } from '../../src/db/database'
import { createEngine, type Engine } from '../../src/sync/engine'
import { bodyOf, pushDevice, subscribeTo } from '../../src/sync/push/device'
import { alertRow } from '../db/support/alerts'
import { TEST_VAPID } from '../server/support/test-vapid'
import { oneTab } from './support/one-tab'
import { type FakePush, fakePush } from './support/push-manager'
import type { Fate } from './support/tabs'

const scene = oneTab()
const { addPair, pairs, offline, online, memberHere, view } = scene

let push: FakePush
let engine: Engine
beforeEach(async () => {
  await scene.server.reset()
  push = fakePush()
  vi.stubGlobal('Notification', { permission: 'granted' })
  engine = createEngine({ ...scene.tab.env, push: pushDevice(push.registration) })
  await engine.sync('start')
})
/** A guest with a pair at the server, one that waits, a device, an alert and a draft. */
async function syncedGuest() {
  const { owner } = await view()
  const subscription = bodyOf(await subscribeTo(push.registration, TEST_VAPID.VAPID_PUBLIC_KEY))!
  await engine.call('subscribePush', subscription)
  await addPair('ethereum')
  await engine.sync('command')
  await addPair('solana')
  await scene.tab.db.alerts.put(alertRow(owner))
  await writeMeta(scene.tab.db, 'feedback_drafts', { [owner]: 'Half a sentence' })
  return owner
}
const remove = async (owner = scene.browser.guest) => engine.call('deleteMyData', { owner })
const atServer = async () => {
  const { orm } = scene.server.database
  return [await orm.$count(owners), await orm.$count(widgets), await orm.$count(push_subscriptions)]
}
/** The local rows in which a guest's id occurs. */
const traces = async (owner: string) => {
  const rows = await Promise.all(scene.tab.db.tables.map((table) => table.toArray()))
  return rows.flat().filter((row) => JSON.stringify(row).includes(owner))
}

test('deleting a guest’s data removes it at the server and here, ends the push subscription, and begins a new guest', async () => {
  const before = await syncedGuest()
  expect(await atServer()).toEqual([1, 1, 1])
  expect(await remove()).toEqual({ ok: true, value: null })
  expect([await atServer(), push.endpoint(), await pairs(), await traces(before)]).toEqual([[0, 0, 0], null, [], []])
  const { owner } = await view()
  expect(owner).toMatch(/^anon-\d{13}-[\w-]{24}$/)
  expect(owner).not.toBe(before)
  expect(await readPushRegistration(scene.tab.db)).toMatchObject({ registered: null, off: true, stale: [] })

  // The new guest has a life of its own, and nothing of the old one comes back with it.
  await addPair('monero')
  await engine.sync('online')
  expect([await atServer(), await pairs()]).toEqual([[1, 1, 0], ['monero']])
})

test('deleting a guest’s data offline says so and deletes nothing here or at the server', async () => {
  const before = await syncedGuest()
  offline()
  expect(await remove()).toMatchObject({ ok: false, status: 0 })
  expect([await atServer(), await pairs(), (await view()).owner]).toEqual([[1, 1, 1], ['ethereum', 'solana'], before])
  expect(push.endpoint()).not.toBeNull()
  online()
  expect(await remove()).toEqual({ ok: true, value: null })
  expect([await atServer(), await traces(before)]).toEqual([[0, 0, 0], []])
})

test('a deletion whose answer was lost ends the same at the next try, also after a sync in between', async () => {
  const before = await syncedGuest()
  scene.browser.setWay(() => 'lost-answer')
  expect(await remove()).toMatchObject({ ok: false, status: 0 })
  expect(await atServer()).toEqual([0, 0, 0])
  online()
  // The waiting pair and the device make the guest known again.
  await engine.sync('online')
  expect(await remove()).toEqual({ ok: true, value: null })
  expect([await atServer(), push.endpoint(), await pairs(), await traces(before)]).toEqual([[0, 0, 0], null, [], []])
})

test('a deletion that is interrupted before this browser has forgotten the guest ends the same at the next try', async () => {
  const before = await syncedGuest()
  const subscription = (await push.registration.pushManager.getSubscription())!
  const closed = vi.spyOn(subscription, 'unsubscribe').mockRejectedValue(new Error('The tab is closed.'))
  await expect(remove()).rejects.toThrow('The tab is closed.')
  expect([await atServer(), (await view()).owner]).toEqual([[0, 0, 0], before])
  closed.mockRestore()
  expect(await remove()).toEqual({ ok: true, value: null })
  expect([push.endpoint(), await traces(before)]).toEqual([null, []])
})

test('changes made while a guest’s data is deleted do not bring the guest back at the server', async () => {
  const before = await syncedGuest()
  let meanwhile: Promise<unknown> = Promise.resolve()
  scene.browser.setWay(async ({ method, path }): Promise<Fate> => {
    if (method === 'DELETE' && path === '/me/data') {
      await addPair('tron')
      meanwhile = engine.sync('command')
    }
    return 'arrives'
  })
  expect(await remove()).toMatchObject({ ok: true })
  await meanwhile
  await engine.sync('online')
  expect([(await atServer())[1], await traces(before)]).toEqual([0, []])
})

test('a guest’s deletion asked for on the page of the guest is not sent once a user has signed in', async () => {
  const before = await syncedGuest()
  await memberHere()
  const asked = scene.browser.sent.length
  expect(await remove(before)).toMatchObject({ ok: false, status: 401 })
  expect(scene.browser.sent).toHaveLength(asked)
  expect(await view()).toMatchObject({ account: 'free' })
})

test('what a user left here for the next login stays when the guest’s data is deleted', async () => {
  await addPair('ethereum')
  await engine.sync('command')
  const waiting = (await scene.tab.db.outbox.toArray()).length
  await addPair('solana')
  const entry = (await scene.tab.db.outbox.toArray())[waiting]!
  await scene.tab.db.outbox.put({ ...entry, owner: 'a user who has left' as never })
  expect(await remove()).toMatchObject({ ok: true })
  expect((await scene.tab.db.outbox.toArray()).map(({ owner }) => owner)).toEqual(['a user who has left'])
  expect(await readMeta(scene.tab.db, 'config')).toBeDefined()
})

test('a download through the engine is what the server has of whoever uses the browser, and is stored nowhere', async () => {
  const owner = await syncedGuest()
  const before = await traces('push_service')
  const reply = await engine.call('myData', {})
  expect(reply).toMatchObject({
    ok: true,
    value: {
      kind: 'guest',
      widgets: [{ coin_b_id: 'ethereum' }],
      push_devices: [{ push_service: 'fcm.googleapis.com' }],
    },
  })
  expect(await traces('push_service')).toEqual(before)
  offline()
  expect(await engine.call('myData', {})).toMatchObject({ ok: false, status: 0 })

  const local = await readLocalData(scene.tab.db)
  expect(local).toMatchObject({
    widgets: [{ coin_b_id: 'ethereum' }],
    waiting_changes: [{ kind: 'widget.create@1', state: 'waiting' }],
    alerts: [{ side: expect.any(String) }],
    feedback_draft: 'Half a sentence',
    notifications: 'on',
  })
  expect(JSON.stringify(local)).not.toContain(owner)
})
