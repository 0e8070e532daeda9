import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { CheckoutAnswer, PortalAnswer } from '../../src/contract/billing'
import type { ErrorBody } from '../../src/contract/errors'
import { DAY, HOUR } from '../../src/domain/granularity'
import { billing_customers, billing_removals, subscriptions } from '../../server/db/schema/billing'
import { owners } from '../../server/db/schema/users'
import { makeCustomer } from '../../server/services/billing/own-subscription'
import { readAccount } from '../../server/services/accounts/account'
import { fakePayments } from './support/fake-payments'
import { withBilling } from './support/for-file'
import type { Person } from './support/person'
import { testApp } from './support/test-app'

const scene = withBilling({ env: { PUBLIC_URL: 'http://localhost:4321' } })
afterEach(() => scene.stripe.fail(null))

const checkout = (me: Person) => me.ask<CheckoutAnswer & ErrorBody>('POST', '/subscriptions/create-checkout-session')
const portal = (me: Person) => me.ask<PortalAnswer & ErrorBody>('POST', '/subscriptions/create-portal-session')
const customersOf = (me: { readonly id: string }) =>
  scene.stripe.account.customers().filter(({ metadata }) => metadata['user_id'] === me.id)
const called = (path: string) => scene.stripe.calls.filter((call) => call.path === path)
const refusal = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.error_code, body.detail]
const UNAVAILABLE = [503, 'BILLING_UNAVAILABLE', 'Payment processing is currently unavailable.']

test('checkout opens a Stripe page for the configured price, with the user as customer and return URLs to the app', async () => {
  const me = await scene.server.user({ email: 'payer@example.com' })
  const { status, body } = await checkout(me)
  expect(status).toBe(200)
  const session = scene.stripe.account.session(body.session_id)
  expect(session).toMatchObject({
    url: body.url,
    mode: 'subscription',
    status: 'open',
    client_reference_id: me.id,
    success_url: 'http://localhost:4321/checkout-success',
    cancel_url: 'http://localhost:4321/checkout-canceled',
  })
  expect(customersOf(me)).toEqual([expect.objectContaining({ id: session?.customer, email: 'payer@example.com' })])
  const { params, apiVersion } = called('/v1/checkout/sessions').findLast(({ method }) => method === 'POST')!
  expect(params).toMatchObject({
    'line_items[0][price]': scene.server.env.STRIPE_PRICE_ID,
    'subscription_data[metadata][user_id]': me.id,
  })
  expect(apiVersion).toBe('2026-10-28.endive')
})

test('a user has Premium once the events of a paid checkout arrive, and the portal page returns to the settings', async () => {
  const me = await scene.server.user()
  const { session_id } = (await checkout(me)).body
  scene.stripe.account.pay(session_id)
  for (const event of scene.stripe.account.events.slice(-3)) expect((await scene.post(event)).status).toBe(200)
  expect((await me.ask<{ has_premium_access: boolean }>('GET', '/users/me')).body.has_premium_access).toBe(true)
  const { status, body } = await portal(me)
  const visit = scene.stripe.account.portal(new URL(body.url).pathname.split('/').at(-1)!)
  expect([status, visit?.customer, visit?.return_url]).toEqual([
    200,
    customersOf(me)[0]?.id,
    'http://localhost:4321/settings',
  ])
})

test('a second checkout of a user reuses the Stripe customer and expires the first checkout session', async () => {
  const me = await scene.server.user()
  const first = (await checkout(me)).body
  scene.server.clock.advance(2000)
  const second = (await checkout(me)).body
  expect(customersOf(me).length).toBe(1)
  expect([first, second].map(({ session_id }) => scene.stripe.account.session(session_id)?.status)).toEqual([
    'expired',
    'open',
  ])
})

test('ten concurrent checkouts of a user create one Stripe customer and leave one open session, which was returned', async () => {
  const me = await scene.server.user()
  const answers = await Promise.all(Array.from({ length: 10 }, () => checkout(me)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  const [customer, ...others] = customersOf(me)
  expect(others).toEqual([])
  const open = scene.stripe.account.sessionsOf(customer!.id).filter(({ status }) => status === 'open')
  expect(open.length).toBe(1)
  expect(answers.map(({ body }) => body.session_id)).toContain(open[0]?.id)
})

test('checkout refuses a user who pays already, even before the event arrives, but not a user with a Premium grant', async () => {
  const me = await scene.server.user()
  const { session_id } = (await checkout(me)).body
  scene.stripe.account.pay(session_id)
  expect(refusal(await checkout(me))).toEqual([409, 'ALREADY_SUBSCRIBED', 'You have a Premium subscription already.'])
  // The server knows the answer from then on.
  expect((await me.ask<{ has_premium_access: boolean }>('GET', '/users/me')).body.has_premium_access).toBe(true)
  for (const { id } of scene.stripe.account.subscriptionsOf(customersOf(me)[0]!.id)) scene.stripe.account.cancel(id)
  expect((await checkout(me)).status).toBe(200)

  const grantee = await scene.server.user()
  const now = new Date(scene.server.clock())
  await scene.server.database.orm.insert(subscriptions).values({
    user_id: grantee.id,
    stripe_subscription_id: `manual_${randomUUID()}`,
    status: 'active',
    current_period_start: now,
    current_period_end: new Date(now.getTime() + DAY),
    created_at: now,
  })
  expect((await checkout(grantee)).status).toBe(200)
  // And asking has not taken it.
  expect((await checkout(grantee)).status).toBe(200)
  expect(
    (await scene.server.rows(subscriptions, eq(subscriptions.user_id, grantee.id))).map(({ status }) => status),
  ).toEqual(['active'])
})

test('a user who pays for a checkout session while another session is opened gets ALREADY_SUBSCRIBED', async () => {
  const me = await scene.server.user()
  const { session_id } = (await checkout(me)).body
  scene.stripe.fail(({ method, path }) => {
    if (method === 'POST' && path === '/v1/checkout/sessions') scene.stripe.account.pay(session_id)
    return null
  })
  expect((await checkout(me)).body.error_code).toBe('ALREADY_SUBSCRIBED')
})

test('the billing portal opens only for a user with a Stripe customer, and otherwise answers NO_SUBSCRIPTION', async () => {
  const me = await scene.server.user({ premium: true })
  expect(refusal(await portal(me))).toEqual([
    409,
    'NO_SUBSCRIPTION',
    'There is no subscription to manage: nothing has been bought.',
  ])
  await checkout(me)
  expect((await portal(me)).status).toBe(200)
})

test('after a customer was deleted at Stripe checkout creates a new customer, and only new subscriptions count', async () => {
  const buyer = await scene.buyer()
  scene.stripe.account.subscribe(buyer.customer)
  await scene.post(scene.stripe.account.events.at(-1)!)
  scene.stripe.account.deleteCustomer(buyer.customer)
  expect((await portal(buyer.me)).body.error_code).toBe('NO_SUBSCRIPTION')
  const answers = await Promise.all([checkout(buyer.me), checkout(buyer.me)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { customer } = scene.stripe.account.session(answers[0].body.session_id)!
  expect(customer).not.toBe(buyer.customer)
  expect(customersOf(buyer.me).map(({ id }) => id)).toEqual([customer])
  expect((await portal(buyer.me)).status).toBe(200)
  expect([await buyer.isPremium(), [...(await buyer.rows()).values()].map(({ status }) => status)]).toEqual([
    false,
    ['canceled'],
  ])
  // The new one is the one that counts.
  scene.stripe.account.subscribe(customer)
  await scene.post(scene.stripe.account.events.at(-1)!)
  expect(await buyer.isPremium()).toBe(true)
})

test('a lost answer to the creation of a Stripe customer leads to no second customer at the next checkout', async () => {
  const me = await scene.server.user()
  scene.stripe.fail(({ path, method }) => (path === '/v1/customers' && method === 'POST' ? 'lose-answer' : null))
  expect(refusal(await checkout(me))).toEqual(UNAVAILABLE)
  scene.stripe.fail(null)
  expect((await checkout(me)).status).toBe(200)
  expect(customersOf(me).length).toBe(1)
})

test('checkout and portal answer BILLING_UNAVAILABLE while Stripe fails or no payment provider is configured', async () => {
  const me = (await scene.buyer()).me
  for (const fault of [{ status: 500 }, { status: 429 }, { status: 401 }, 'hang-up'] as const) {
    scene.stripe.fail(fault)
    expect([refusal(await checkout(me)), refusal(await portal(me))], JSON.stringify(fault)).toEqual([
      UNAVAILABLE,
      UNAVAILABLE,
    ])
  }
  const other = await testApp({ database: scene.server.database })
  const there = await other.user()
  expect([refusal(await checkout(there)), refusal(await portal(there))]).toEqual([UNAVAILABLE, UNAVAILABLE])
  await other.close()
}, 60_000)

test('checkout and portal refuse guests and ended sessions without a call to Stripe', async () => {
  const asked = scene.stripe.calls.length
  const left = await scene.server.user()
  await left.ask('POST', '/users/me/delete-oauth')
  for (const ask of [checkout, portal]) {
    expect((await ask(scene.server.guest())).body.error_code).toBe('FORBIDDEN')
    expect((await ask(left)).body.error_code).toBe('TOKEN_EXPIRED')
  }
  expect(scene.stripe.calls.length).toBe(asked)
})

test('checkout and portal share a limit of 30 requests an hour per account', async () => {
  const other = await testApp({
    database: scene.server.database,
    env: { RATE_LIMIT_FACTOR: '1' },
    deps: { payments: fakePayments(scene.server.clock) },
  })
  const me = await other.user()
  const statuses: number[] = []
  for (let i = 0; i < 31; i++) statuses.push((await checkout(me)).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
  expect((await portal(me)).status).toBe(429)
  expect((await checkout(await other.user())).status).toBe(200)
  other.clock.advance(HOUR)
  expect((await checkout(me)).status).toBe(200)
  await other.close()
})

test('a Stripe customer created for an account that was deleted meanwhile is queued for removal', async () => {
  const me = await scene.server.user()
  const { database, clock } = scene.server
  const account = await readAccount(database.orm, me.id)
  const payments = fakePayments(clock)
  await database.orm.delete(owners).where(eq(owners.id, me.id))
  await expect(makeCustomer({ database, clock, payments }, account!, null)).rejects.toMatchObject({
    code: 'TOKEN_EXPIRED',
  })
  const [made] = [...payments.customers.keys()]
  expect((await database.rows(billing_removals)).map(({ customer_id }) => customer_id)).toEqual([made])
  expect(await database.rows(billing_customers, eq(billing_customers.user_id, me.id))).toEqual([])
})
