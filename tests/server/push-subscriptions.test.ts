import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { owners } from '../../server/db/schema/users'
import { push_subscriptions } from '../../server/db/schema/alerts'
import type { ErrorBody } from '../../src/contract/errors'
import { deviceKeys } from '../support/push-device'
import { withServer } from './support/for-file'
import type { Guest } from './support/guest'
import type { Person } from './support/person'
import { BROWSER_KEYS, subscription } from './support/subscription'

const server = withServer()
afterEach(() => server.reset())

const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/of-one-browser'
type Answer = { readonly id: string } & ErrorBody

const subscribe = (me: Person, endpoint = ENDPOINT, change: object = {}, op: string = randomUUID()) =>
  me.ask<Answer>('POST', '/push/subscribe', { ...subscription(endpoint), ...change }, { 'idempotency-key': op })
const unsubscribe = (me: Person, endpoint = ENDPOINT, op: string = randomUUID()) =>
  me.ask('DELETE', '/push/unsubscribe', { endpoint }, { 'idempotency-key': op })
const all = () => server.database.orm.select().from(push_subscriptions).orderBy(push_subscriptions.subscribed_at)
const endpoints = async () => (await all()).map(({ endpoint }) => endpoint)
const me = (): Guest => server.guest()

test('a browser that subscribes again keeps one subscription, with keys and expiry of the last request', async () => {
  const mine = me()
  const first = await subscribe(mine, ENDPOINT, { expirationTime: Date.UTC(2026, 5, 1) })
  expect(first.status).toBe(201)
  expect(await all()).toMatchObject([
    { id: first.body.id, endpoint: ENDPOINT, ...BROWSER_KEYS, expires_at: new Date(Date.UTC(2026, 5, 1)) },
  ])
  const { keys } = deviceKeys()
  const again = await subscribe(mine, ENDPOINT, { keys: { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` } })
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(await all()).toMatchObject([{ id: first.body.id, ...keys, expires_at: null }])
})

test('a browser’s subscription moves to the owner who subscribed last: from guest to user, and back to the guest', async () => {
  const [anybody, account] = [me(), await server.user()]
  const { id } = (await subscribe(anybody)).body
  const [before] = await all()
  expect((await subscribe(account)).body.id).toBe(id)
  expect(await all()).toMatchObject([{ id, owner_id: account.id }])
  expect((await subscribe(anybody)).body.id).toBe(id)
  expect(await all()).toMatchObject([{ id, owner_id: before?.owner_id }])
})

test('only the owner’s unsubscribe removes a push subscription, and every unsubscribe answers 204', async () => {
  const [mine, other] = [me(), me()]
  await subscribe(mine)
  expect((await unsubscribe(other)).status).toBe(204)
  expect(await endpoints()).toEqual([ENDPOINT])
  expect((await unsubscribe(mine, 'https://fcm.googleapis.com/fcm/send/another')).status).toBe(204)
  expect((await unsubscribe(mine, 'https://fcm.googleapis.com:443/fcm/./send/of-one-browser')).status).toBe(204)
  expect(await endpoints()).toEqual([])
  expect((await unsubscribe(mine)).status).toBe(204)
})

test('unsubscribing a browser that was never subscribed answers 204 and stores no owner', async () => {
  expect((await unsubscribe(me())).status).toBe(204)
  expect(await server.rows(owners)).toEqual([])
})

test('a repeated subscribe does not take a browser back, and a repeated unsubscribe does not end a newer subscription', async () => {
  const [mine, other] = [me(), me()]
  const [made, ended] = [randomUUID(), randomUUID()]
  const { id } = (await subscribe(mine, ENDPOINT, {}, made)).body
  const repeated = await subscribe(mine, ENDPOINT, {}, made)
  expect([repeated.body.id, repeated.headers['idempotent-replayed']]).toEqual([id, 'true'])
  await subscribe(other)
  expect((await subscribe(mine, ENDPOINT, {}, made)).status).toBe(204)
  await unsubscribe(other, ENDPOINT, ended)
  await subscribe(other)
  expect((await unsubscribe(other, ENDPOINT, ended)).headers['idempotent-replayed']).toBe('true')
  expect(await endpoints()).toEqual([ENDPOINT])
  const reused = await subscribe(other, `${ENDPOINT}s`, {}, ended)
  expect([reused.status, reused.body.error_code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('an owner keeps at most twenty push subscriptions, and the least recently renewed is removed first', async () => {
  const [mine, other] = [me(), me()]
  await subscribe(other, `${ENDPOINT}/other`)
  for (let i = 0; i < 20; i++) {
    server.clock.advance(1_000)
    await subscribe(mine, `${ENDPOINT}/${i}`)
  }
  server.clock.advance(1_000)
  await subscribe(mine, `${ENDPOINT}/0`)
  server.clock.advance(1_000)
  await subscribe(mine, `${ENDPOINT}/20`)
  const expected = [...Array.from({ length: 18 }, (_, i) => `${ENDPOINT}/${i + 2}`), `${ENDPOINT}/0`, `${ENDPOINT}/20`]
  expect(await endpoints()).toEqual([`${ENDPOINT}/other`, ...expected])
})

test('two owners who subscribe each other’s twenty browsers at the same time both get 201 for each request', async () => {
  const [a, b] = [me(), me()]
  for (let i = 0; i < 20; i++) {
    await subscribe(a, `${ENDPOINT}/a${i}`)
    await subscribe(b, `${ENDPOINT}/b${i}`)
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => [subscribe(a, `${ENDPOINT}/b${i}`), subscribe(b, `${ENDPOINT}/a${i}`)]).flat(),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect((await all()).length).toBeLessThanOrEqual(40)
})

test('push subscriptions are deleted together with their owner', async () => {
  await subscribe(me())
  await server.reset()
  expect(await all()).toEqual([])
})

test.each([
  ['http://fcm.googleapis.com/fcm/send/x', 'body.endpoint'],
  ['https://127.0.0.1/push', 'body.endpoint'],
  [`${ENDPOINT}?${'"'.repeat(1_000)}`, 'body.endpoint'],
  ['https://updates.push.services.mozilla.com.example.com/wpush/v2/x', 'body.endpoint'],
])('a push subscription with the endpoint %s is refused at body.endpoint', async (endpoint, path) => {
  const answer = await subscribe(me(), endpoint)
  expect([answer.status, answer.body.error_code]).toEqual([422, 'VALIDATION_ERROR'])
  expect(answer.body.errors?.map((error) => error.path)).toEqual([path])
  expect(await all()).toEqual([])
})

test.each([
  ['not a point of the curve', { ...BROWSER_KEYS, p256dh: `B${'A'.repeat(85)}B` }, 'body.keys.p256dh'],
  ['a point that is too short', { ...BROWSER_KEYS, p256dh: `A${'A'.repeat(42)}` }, 'body.keys.p256dh'],
  ['a secret that is too short', { ...BROWSER_KEYS, auth: 'AAAA' }, 'body.keys.auth'],
  ['a secret in another alphabet', { ...BROWSER_KEYS, auth: 'BTBZMqHH6r4Tts7J/aSIg+' }, 'body.keys.auth'],
])('a push subscription whose key is %s is refused with a VALIDATION_ERROR at that key', async (_what, keys, path) => {
  const answer = await subscribe(me(), ENDPOINT, { keys })
  expect([answer.status, answer.body.error_code]).toEqual([422, 'VALIDATION_ERROR'])
  expect(answer.body.errors?.map((error) => error.path)).toEqual([path])
  expect(await all()).toEqual([])
})

test.each([
  'https://fcm.googleapis.com/fcm/send/dX:APA91b_-',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB',
  'https://eu.push.services.mozilla.com/wpush/v2/gAAAAAB',
  'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2bx%3d%3d',
  'https://web.push.apple.com/QGx-1_',
])('a push subscription at a browser vendor’s push service is accepted and stored: %s', async (endpoint) => {
  expect((await subscribe(me(), endpoint)).status).toBe(201)
  expect(await endpoints()).toEqual([endpoint])
})
