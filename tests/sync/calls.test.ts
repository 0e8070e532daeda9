import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../server/db/schema/users'
import type { CallInput, CallRoute, CallValue } from '../../src/db/call'
import { type FakePayments, fakePayments } from '../server/support/fake-payments'
import { oneTab } from './support/one-tab'
import { json } from './support/wire'

let payments: FakePayments
const scene = oneTab(() => {
  payments = fakePayments(() => scene.server.clock())
  return { deps: { payments } }
})
const { view, logInHere, offline, later } = scene

const put = scene.call

/** The value of an answer; anything else fails the test. */
async function told<R extends CallRoute>(route: R, input: CallInput<R>): Promise<CallValue<R>> {
  const reply = await put(route, input)
  if (!reply.ok) return expect.unreachable(JSON.stringify(reply))
  return reply.value
}

/** A user with an id and an address of their own. */
async function someone(): Promise<{ readonly id: string; readonly email: string }> {
  const { id, email } = await scene.server.rowOf(await scene.server.member())
  return { id, email }
}

async function operatorHere(): Promise<{ readonly id: string; readonly email: string }> {
  const me = await someone()
  await scene.server.database.orm.update(users).set({ is_superuser: true }).where(eq(users.id, me.id))
  expect(await logInHere(me.email)).toMatchObject({ ok: true })
  return me
}

const stored = async (): Promise<string> =>
  JSON.stringify(await Promise.all(scene.tab.db.tables.map((table) => table.toArray())))

test('checkout and billing portal addresses are those of the payment provider, and are stored nowhere', async () => {
  const me = await someone()
  await logInHere(me.email)
  expect(await put('createPortalSession', {})).toMatchObject({ status: 409, error_code: 'NO_SUBSCRIPTION' })
  const { url, session_id } = await told('createCheckoutSession', {})
  expect(url).toBe(`https://pay.example.com/${session_id}`)
  expect(payments.orders.at(-1)).toMatchObject({ customer: expect.stringContaining(me.id) })
  expect((await told('createPortalSession', {})).url).toContain(me.id)
  expect(await stored()).not.toContain('pay.example.com')
})

test('a checkout fails where the provider is down, nothing answers, or a captive portal answers', async () => {
  await logInHere((await someone()).email)
  payments.down = true
  expect(await put('createCheckoutSession', {})).toMatchObject({ status: 503, error_code: 'BILLING_UNAVAILABLE' })
  payments.down = false
  offline()
  expect(await put('createCheckoutSession', {})).toMatchObject({ ok: false, status: 0, error_code: null })
  scene.browser.setWay(() => json(200, { session_id: 'cs_1', url: 'Log in to the hotel' }))
  expect(await put('createCheckoutSession', {})).toMatchObject({ ok: false, status: 200, error_code: null })
})

test('ways to be told of alerts are added, listed, switched and removed as the user of the browser, and stored nowhere', async () => {
  await logInHere((await someone()).email)
  const refusal = { ok: false, status: 422, error_code: 'WEBHOOK_ADDRESS_REFUSED' }
  const inside = { kind: 'webhook', url: 'https://10.0.0.1/a-path-of-mine', preset: 'json' } as const
  expect(await put('createChannel', inside)).toMatchObject(refusal)
  const { id } = await told('createChannel', { kind: 'email' })
  expect(await told('listChannels', {})).toMatchObject([{ id, kind: 'email', state: 'on' }])
  expect(await told('updateChannel', { id, state: 'off' })).toMatchObject({ id, state: 'off' })
  expect(await stored()).not.toContain(id)
  expect(await told('deleteChannel', { id })).toBeNull()
  expect(await told('listChannels', {})).toEqual([])
})

test('a guest who asks for a checkout is refused with 403', async () => {
  expect(await put('createCheckoutSession', {})).toMatchObject({ ok: false, status: 403, error_code: 'FORBIDDEN' })
  expect(await view()).toMatchObject({ account: 'guest' })
})

test('a superuser reads users and subscriptions, a page at a time, and nothing of that is stored', async () => {
  const other = await someone()
  const me = await operatorHere()
  const everybody = await told('adminUsers', { skip: 0 })
  expect(everybody.rows.map(({ id }) => id)).toEqual(expect.arrayContaining([me.id, other.id]))
  expect(everybody.total).toBe(everybody.rows.length)
  const rest = await told('adminUsers', { skip: 1 })
  expect(rest).toEqual({ rows: everybody.rows.slice(1), total: everybody.total })
  expect(await told('adminUsers', { search: other.email, skip: 0 })).toMatchObject({ rows: [other], total: 1 })

  expect(await told('adminUser', { id: other.id })).toMatchObject({ ...other, widgets: 0 })
  expect(await told('adminSubscriptions', { id: other.id })).toEqual([])
  expect(await stored()).not.toContain(other.email)
})

test('a user who is no superuser is refused users, audit log and overview', async () => {
  const other = await someone()
  await logInHere((await someone()).email)
  const forbidden = { ok: false, status: 403, error_code: 'FORBIDDEN' }
  expect(await put('adminUsers', { skip: 0 })).toMatchObject(forbidden)
  expect(await put('adminUser', { id: other.id })).toMatchObject(forbidden)
  expect(await put('auditLog', { skip: 0 })).toMatchObject(forbidden)
  expect(await put('overview', {})).toMatchObject(forbidden)
})

test('a superuser grants and revokes Premium, the audit log lists both, and repetitions are refused by code', async () => {
  const other = await someone()
  const me = await operatorHere()
  const grant = await told('grantPremium', { id: other.id, duration_days: 7 })
  expect(Date.parse(grant.current_period_end) - scene.server.clock()).toBe(7 * 86_400_000)
  expect(await put('grantPremium', { id: other.id, duration_days: 7 })).toMatchObject({ error_code: 'GRANT_EXISTS' })
  expect(await told('adminSubscriptions', { id: other.id })).toEqual([grant])
  later(1_000)
  expect(await told('revokePremium', { id: other.id })).toMatchObject({ id: grant.id, status: 'canceled' })
  expect(await put('revokePremium', { id: other.id })).toMatchObject({ ok: false, error_code: 'NO_GRANT' })

  const { rows, total } = await told('auditLog', { target: other.id, skip: 0 })
  expect(rows).toMatchObject(
    ['revoke-premium', 'grant-premium'].map((action) => ({ action, actor_email: me.email, target_id: other.id })),
  )
  expect(total).toBe(2)
  expect((await told('auditLog', { skip: 0 })).total).toBeGreaterThanOrEqual(2)
  expect(await told('auditLog', { target: other.id, skip: 1 })).toEqual({ rows: rows.slice(1), total })
  expect(await told('overview', {})).toMatchObject({ accounts: { users: expect.any(Number) } })
})

test('a superuser’s own grant of Premium shows at once, and a grant to another user loads no account', async () => {
  const other = await someone()
  const me = await operatorHere()
  const looks = () => scene.browser.sent.filter(({ path }) => path === '/users/me').length
  await told('grantPremium', { id: other.id, duration_days: 7 })
  expect(looks()).toBe(0)
  await told('grantPremium', { id: me.id, duration_days: 7 })
  expect(await view()).toMatchObject({ account: 'premium' })
  await told('revokePremium', { id: me.id })
  expect(await view()).toMatchObject({ account: 'free' })
  expect(looks()).toBe(2)
})

test('an administration request with an expired access token is sent after a token refresh', async () => {
  await operatorHere()
  later(3_600_000)
  expect((await told('adminUsers', { skip: 0 })).total).toBeGreaterThan(0)
  expect(scene.browser.sent.map(({ path }) => path)).toContain('/auth/refresh-token')
})
