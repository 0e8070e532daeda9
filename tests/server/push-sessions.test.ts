import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { TokenAnswer } from '../../src/contract/session'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { sessions } from '../../server/db/schema/sessions'
import { push_subscriptions } from '../../server/db/schema/alerts'
import { accountOfIdentity } from '../../server/services/google/sign-in'
import { commitChange } from '../../server/services/revisions'
import { removeOldTokens } from '../../server/services/sessions/refresh-token'
import { bearer, PASSWORD } from './support/accounts'
import { type Browser, browserAt } from './support/browser'
import { recordCrossing } from './support/crossings'
import { type Person, person } from './support/person'
import { deliver, deliveries, events, me, server, service, setPushScene, subscriptions } from './support/push-scene'

setPushScene()

interface Device extends Person {
  readonly browser: Browser
  readonly tokens: TokenAnswer
}

/** A login whose browser is subscribed. */
async function device(email: string): Promise<Device> {
  const tokens = await server.session(email)
  const who = person(server.app, async () => bearer(tokens.access_token))
  const browser = browserAt(service)
  await browser.subscribe(who)
  return { ...who, browser, tokens }
}

/** A user whose phone and desk are subscribed, and whose pair is crossed when they say so. */
async function scene() {
  const email = await server.member()
  const [desk, phone] = [await device(email), await device(email)]
  const { id } = await desk.add('bitcoin', 'ethereum')
  await desk.update(id, { notifications_enabled: true, high_threshold: 21 })
  const cross = (change: Parameters<typeof recordCrossing>[3] = {}) =>
    recordCrossing(server.database, id, server.clock(), change)
  return { email, desk, phone, cross }
}
const told = (...devices: Device[]) => devices.map(({ browser }) => browser.alerts.length)
/** As rows of servers before this version are. */
const forgetWhichSession = () => server.database.orm.update(push_subscriptions).set({ session_id: null })

test.each([
  ['bound to their sessions', async () => undefined],
  ['of before subscriptions were bound to sessions', forgetWhichSession],
])('a password reset removes every push subscription of the account, %s', async (_which, happens) => {
  const { email, desk, phone, cross } = await scene()
  await happens()
  expect((await server.resetTo(await server.link(email, 'reset-password'), 'another good password')).status).toBe(200)
  await cross()
  await deliver()
  expect(told(desk, phone)).toEqual([0, 0])
  expect(await subscriptions()).toEqual([])
})

test('a deletion request removes every push subscription of the account', async () => {
  const { desk, phone, cross } = await scene()
  await forgetWhichSession()
  expect((await desk.ask('DELETE', '/users/me', { password: PASSWORD })).status).toBe(200)
  await cross()
  await deliver()
  expect(told(desk, phone)).toEqual([0, 0])
  expect(await subscriptions()).toEqual([])
})

test('a logout removes the push subscription of that session, and those of other sessions and guests stay', async () => {
  const { desk, phone, cross } = await scene()
  const other = browserAt(service)
  await other.subscribe(me)
  await server.logOut(phone.tokens.refresh_token)
  await cross()
  await deliver()
  expect(told(desk, phone)).toEqual([1, 0])
  expect((await subscriptions()).map(({ endpoint }) => endpoint).toSorted()).toEqual(
    [desk.browser.endpoint, other.endpoint].toSorted(),
  )
})

test('a browser that logs in again and subscribes belongs to the new session, and outlives the old one', async () => {
  const { email, desk, phone, cross } = await scene()
  const tokens = await server.session(email)
  await phone.browser.subscribe(person(server.app, async () => bearer(tokens.access_token)))
  await server.logOut(phone.tokens.refresh_token)
  await cross()
  await deliver()
  expect(told(desk, phone)).toEqual([1, 1])
})

test('a browser that a guest takes over from a user outlives the session of that user', async () => {
  const { desk } = await scene()
  await desk.browser.subscribe(me)
  await server.logOut(desk.tokens.refresh_token)
  const rows = await subscriptions()
  expect(rows.find(({ endpoint }) => endpoint === desk.browser.endpoint)).toMatchObject({ session_id: null })
})

test('Google’s take-over of an unverified account removes every push subscription of that account', async () => {
  const { email, desk } = await scene()
  await forgetWhichSession()
  const { id } = await server.rowOf(email)
  await server.setUser(id, { email_verified_at: null })
  await commitChange(server.database, server.clock(), (tx) =>
    accountOfIdentity(
      tx,
      { subject: 'sub-1', email, emailVerified: true, hostedDomain: 'example.com', authenticatedAt: null },
      server.clock(),
    ),
  )
  expect(await subscriptions()).toEqual([])
  expect(await server.rows(sessions, eq(sessions.user_id, id))).toEqual([])
  expect(desk.browser.alerts).toEqual([])
})

test('the end of a session by age removes its push subscription and is mailed; one without notifications ends quietly', async () => {
  const { email } = await scene()
  await server.session(email)
  server.clock.advance(61 * DAY)
  const fresh = await device(email)
  await removeOldTokens(server.database, server.clock())
  expect((await subscriptions()).map(({ endpoint }) => endpoint)).toEqual([fresh.browser.endpoint])
  expect((await server.mailsTo(email)).filter((kind) => kind === 'session-expired')).toHaveLength(2)
})

test.each([
  ['disabled', { is_active: false }],
  ['scheduled for deletion', { deletion_scheduled_at: new Date() }],
])('no browser gets an alert of an account that is %s, whether it waits already or is new', async (_how, set) => {
  const { email, desk, phone, cross } = await scene()
  for (const { browser } of [desk, phone]) browser.reply({ status: 503 })
  await cross()
  await deliver()
  for (const { browser } of [desk, phone]) browser.reply(null)
  const { id } = await server.rowOf(email)
  await server.setUser(id, set)
  server.clock.advance(MINUTE)
  await cross({ epoch: 1 })
  await deliver()
  expect(told(desk, phone)).toEqual([0, 0])
  expect((await deliveries()).map(({ outcome }) => outcome)).toEqual(['unwanted', 'unwanted'])
  expect((await events()).map(({ delivery }) => delivery).toSorted()).toEqual(['account-closed', 'fanned-out'])
})
