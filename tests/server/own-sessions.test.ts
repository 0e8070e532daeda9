import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Device, device as deviceSchema } from '../../src/contract/device'
import type { TokenAnswer } from '../../src/contract/session'
import { DAY, HOUR } from '../../src/domain/granularity'
import { known_devices } from '../../server/db/schema/sessions'
import { push_subscriptions } from '../../server/db/schema/alerts'
import { deviceLabel } from '../../server/services/sessions/devices'
import { bearer, PASSWORD } from './support/accounts'
import { browserAt } from './support/browser'
import { type Person, person } from './support/person'
import { server, service, setPushScene, subscriptions } from './support/push-scene'

setPushScene()

const AGENTS = {
  phone:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  desk: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
} as const

interface Signed extends Person {
  readonly tokens: TokenAnswer
}
async function signIn(email: string, userAgent: string): Promise<Signed> {
  const { body: tokens } = await server.logIn(email, PASSWORD, '127.0.0.1', { 'user-agent': userAgent })
  return { ...person(server.app, async () => bearer(tokens.access_token)), tokens }
}
const list = async (who: Person) =>
  z.array(deviceSchema).parse((await who.ask<Device[]>('GET', '/users/me/sessions')).body)
const lives = async ({ tokens }: Signed) => (await server.refresh(tokens.refresh_token)).status === 200
async function subscribed(who: Person) {
  const browser = browserAt(service)
  await browser.subscribe(who)
  return browser.endpoint
}
const endpoints = async () => (await subscriptions()).map(({ endpoint }) => endpoint)
const devicesOf = async ({ tokens }: Signed) => server.rows(known_devices, eq(known_devices.user_id, tokens.user!.id))

async function phoneAndDesk() {
  const email = await server.member()
  const phone = await signIn(email, AGENTS.phone)
  server.clock.advance(HOUR / 6)
  const desk = await signIn(email, AGENTS.desk)
  return { email, phone, desk }
}

test('the list of sessions names each browser, says which one asks and which get notifications, and nothing of others', async () => {
  const { phone, desk } = await phoneAndDesk()
  await signIn(await server.member(), AGENTS.desk)
  await subscribed(phone)
  const at = new Date(server.clock()).toISOString()
  const before = new Date(server.clock() - HOUR / 6).toISOString()
  expect(await list(desk)).toEqual([
    {
      id: expect.any(String),
      label: 'Firefox on Windows',
      signed_in_at: at,
      last_seen_at: at,
      gets_push: false,
      is_current: true,
    },
    {
      id: expect.any(String),
      label: 'Chrome on Android',
      signed_in_at: before,
      last_seen_at: before,
      gets_push: true,
      is_current: false,
    },
  ])
  expect((await list(phone)).map(({ is_current }) => is_current)).toEqual([true, false])
})

test('a refresh moves the time at which a browser was last seen, and keeps its name where the request names none', async () => {
  const { phone, desk } = await phoneAndDesk()
  server.clock.advance(HOUR / 6)
  await server.refresh(phone.tokens.refresh_token)
  const [, other] = await list(desk)
  expect(other).toMatchObject({ label: 'Chrome on Android', last_seen_at: new Date(server.clock()).toISOString() })
})

test('a session whose tokens have run out is not listed', async () => {
  const { email, desk } = await phoneAndDesk()
  server.clock.advance(31 * DAY)
  const again = await signIn(email, AGENTS.phone)
  expect(await list(again)).toMatchObject([{ is_current: true }])
  expect((await desk.ask('GET', '/users/me/sessions')).status).toBe(401)
})

test('an ended session is refused at once, its notifications stop and its browser is a stranger; the others go on', async () => {
  const { phone, desk } = await phoneAndDesk()
  await subscribed(phone)
  const kept = await subscribed(desk)
  const [, { id } = { id: '' }] = await list(desk)
  expect((await desk.ask('DELETE', `/users/me/sessions/${id}`)).status).toBe(204)
  expect((await phone.ask('GET', '/users/me')).status).toBe(401)
  expect([await lives(phone), await lives(desk)]).toEqual([false, true])
  expect(await endpoints()).toEqual([kept])
  expect(await devicesOf(desk)).toHaveLength(1)
  // Another device has ended the session before.
  expect((await desk.ask('DELETE', `/users/me/sessions/${id}`)).status).toBe(204)
})

test('a session of another account cannot be ended', async () => {
  const { desk } = await phoneAndDesk()
  const other = await signIn(await server.member(), AGENTS.phone)
  const [{ id } = { id: '' }] = await list(other)
  expect((await desk.ask('DELETE', `/users/me/sessions/${id}`)).status).toBe(204)
  expect(await lives(other)).toBe(true)
})

test('logging out everywhere else ends all sessions but the own one, and all notifications that are not its', async () => {
  const { email, phone, desk } = await phoneAndDesk()
  const third = await signIn(email, AGENTS.desk)
  const old = await subscribed(phone)
  await server.database.orm.update(push_subscriptions).set({ session_id: null })
  await subscribed(third)
  const kept = await subscribed(desk)
  expect(await endpoints()).toContain(old)
  expect((await desk.ask('DELETE', '/users/me/sessions')).status).toBe(204)
  expect([await lives(phone), await lives(third), await lives(desk)]).toEqual([false, false, true])
  expect(await endpoints()).toEqual([kept])
  expect(await devicesOf(desk)).toHaveLength(1)
  expect(await list(desk)).toHaveLength(1)
})

test.each([
  [AGENTS.phone, 'Chrome on Android'],
  [AGENTS.desk, 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPad',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0',
    'Opera on Windows',
  ],
  ['Mozilla/5.0 (Linux) Something/1.0', 'A browser on Linux'],
  ['curl/8.5.0', null],
  ['', null],
  [undefined, null],
])('the User-Agent %s is named %s', (userAgent, label) => {
  expect(deviceLabel(userAgent)).toBe(label)
})
